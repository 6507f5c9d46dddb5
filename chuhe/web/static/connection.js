// The websocket: sends the key first, reconnects by itself, and reports its state.

const FIRST_WAIT = 200;
const LONGEST_WAIT = 2000;

export class Connection {
  /** `hello()` returns the other fields of the greeting; `onState` gets "open", "gone" or "refused". */
  constructor(token, hello, onMessage, onState) {
    this.token = token;
    this.hello = hello;
    this.onMessage = onMessage;
    this.onState = onState;
    this.wait = FIRST_WAIT;
    this.ready = false;
    this.connect();
    window.addEventListener("online", () => this.soon());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.soon());
  }

  connect() {
    clearTimeout(this.timer);
    this.timer = null;
    const socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ do: "hello", token: this.token, ...this.hello() }));
    socket.onmessage = (event) => {
      if (!this.ready) {
        this.ready = true;
        this.wait = FIRST_WAIT;
        this.onState("open");
      }
      this.onMessage(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      this.ready = false;
      if (event.code === 4403) return this.onState("refused");
      this.onState("gone");
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 1.6, LONGEST_WAIT);
    };
  }

  /** Reconnects at once, because it is likely to work now. */
  soon() {
    if (this.timer) this.connect();
  }

  /** False if not connected. */
  send(request) {
    if (!this.ready || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(request));
    return true;
  }
}
