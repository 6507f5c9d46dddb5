// Synthesised sounds: a click for a move, a deeper one for a capture, two notes for check. The settings turn them off.

import { settings } from "/static/settings.js";

let context = null;

function note(frequency, delay, length, volume) {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  const start = context.currentTime + delay;
  oscillator.type = "triangle";
  oscillator.frequency.setValueAtTime(frequency, start);
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

export function sound(kind) {
  if (!settings.sounds || !window.AudioContext) return;
  context ??= new AudioContext();
  if (kind === "capture") note(150, 0, 0.12, 0.4);
  else if (kind === "check") [660, 880].forEach((frequency, index) => note(frequency, index * 0.09, 0.12, 0.15));
  else note(320, 0, 0.06, 0.3);
}
