// The WebSocket to the server. Of each kind of job one is under way; of those that wait only the newest is sent.
export class Link {
  constructor(token, { answer, state }) {
    Object.assign(this, { token, answer, state, busy: {}, waiting: {}, number: 0, bytes: 0 });
    this.open();
  }
  open() {
    this.socket = new WebSocket(`ws://${location.host}/ws`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => this.socket.send(JSON.stringify({ type: "hello", token: this.token }));
    this.socket.onmessage = (event) => this.received(event.data);
    this.socket.onclose = (event) => {
      this.busy = {};
      if (event.code === 4001) return this.state("refused", "The address has no valid token. Open the one that the command printed.");
      if (event.code === 4002) return this.state("refused", "Too many pages of the studio are open. Close one and reload.");
      this.state("lost", "The server is gone; trying again …");
      setTimeout(() => this.open(), 1200);
    };
  }
  send(type, job) {
    this.waiting[type] = { ...job, type, id: ++this.number, sent: performance.now() };
    this.flush(type);
    return this.number;
  }
  flush(type) {
    const job = this.waiting[type];
    const preempts = type === "solve" && this.busy[type] && !this.busy[type].quick;
    if (!job || (this.busy[type] && !preempts) || this.socket.readyState !== 1 || !this.greeted) return;
    delete this.waiting[type];
    this.busy[type] = job;
    this.socket.send(JSON.stringify(job));
  }
  received(data) {
    if (typeof data === "string") {
      const head = JSON.parse(data);
      if (head.type === "hello") { this.greeted = true; this.state("ready", "", head); Object.keys(this.waiting).forEach((t) => this.flush(t)); return; }
      this.finish(head, [], null);
      return;
    }
    const size = new DataView(data).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size)));
    const arrays = [];
    let at = 4 + size;
    for (const n of head.sizes) { arrays.push(new Float32Array(data, at, n)); at += 4 * n; }
    this.bytes = data.byteLength;
    this.finish(head, arrays, new Uint8Array(data, at));
  }
  finish(head, arrays, raw) {
    if (head.stale) return;
    const job = this.busy[head.type];
    if (!job || job.id !== head.id) return; // an answer that nobody waits for
    delete this.busy[head.type];
    this.flush(head.type); // the next one is solved while this one is drawn
    this.answer(head, arrays, raw, job);
  }
}
