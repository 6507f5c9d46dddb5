// The one websocket: sends the key first, comes back by itself when the server does, and says how it stands.

const FIRST_WAIT = 200;
const LONGEST_WAIT = 2000;

export class Connection {
  /** `hello()` gives what the greeting says beside the key; `onMessage`, `onState` ("open", "gone", "refused") listen. */
  constructor(token, hello, onMessage, onState) {
    Object.assign(this, { token, hello, onMessage, onState });
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

  /** Do not wait out the pause: there is a reason to believe that it works now. */
  soon() {
    if (this.timer) this.connect();
  }

  /** False if nobody is there to hear it. */
  send(request) {
    if (!this.ready || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(request));
    return true;
  }
}
