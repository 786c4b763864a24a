// The grammar of formulas, read on the page: for typesetting and for drawing only; the server reads them for itself.
const TOKEN = /(\s+)|((?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_]*)|("[^"\n]*"|'[^'\n]*')|(\*\*|<=|>=|==|!=|[-+*/^()[\],=<>|&])/uy;
const BINDING = {
  "=": [0.5, 0.6], or: [1, 2], and: [3, 4], "<": [7, 8], "<=": [7, 8], ">": [7, 8], ">=": [7, 8], "|": [9, 10], "&": [11, 12],
  "+": [13, 14], "-": [13, 14], "*": [15, 16], "/": [15, 16], "**": [20, 19], "^": [20, 19],
};
const PREFIX = { "-": 17, "+": 17, not: 5 };

export function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new SyntaxError(`at ${at}`);
    const kind = match[2] ? "number" : match[3] ? "name" : match[4] ? "text" : match[5] ? "sign" : "";
    if (kind) found.push({ kind, text: match[0], at, end: at + match[0].length });
  }
  return found;
}

// A tree of nodes {kind, at, end, ...}; throws SyntaxError.
export function parse(text) {
  const list = tokens(text);
  let k = 0;
  const peek = () => list[k] ?? { kind: "end", text: "", at: text.length, end: text.length };
  const fail = () => { throw new SyntaxError(`at ${peek().at}`); };
  const take = (sign) => (peek().text === sign && peek().kind !== "text" ? list[k++] : fail());

  function items(close) {
    const found = [];
    while (peek().text !== close) {
      found.push(keyword());
      if (peek().text === ",") k++;
      else break;
    }
    return [found, take(close).end];
  }
  function keyword() {
    const name = peek();
    if (name.kind === "name" && list[k + 1]?.text === "=") {
      k += 2;
      const value = expression(1);
      return { kind: "keyword", name: name.text, value, at: name.at, end: value.end };
    }
    return expression(1);
  }
  function primary() {
    const token = peek();
    if (token.kind === "number") { k++; return { kind: "number", text: token.text, at: token.at, end: token.end }; }
    if (token.kind === "text") { k++; return { kind: "text", text: token.text.slice(1, -1), at: token.at, end: token.end }; }
    if (token.kind === "name" && !(token.text in BINDING)) {
      k++;
      if (token.text in PREFIX) { const right = expression(PREFIX[token.text]); return { kind: "operation", sign: token.text, left: null, right, at: token.at, end: right.end }; }
      if (peek().text === "(" && peek().kind === "sign") {
        k++;
        const [args, end] = items(")");
        return { kind: "call", name: token.text, args, at: token.at, end };
      }
      return { kind: "name", name: token.text, at: token.at, end: token.end };
    }
    if (token.text === "(" || token.text === "[") {
      k++;
      const [found, end] = items(token.text === "(" ? ")" : "]");
      if (token.text === "(" && found.length === 1 && list[k - 2]?.text !== ",") return { ...found[0], bracketed: true, at: token.at, end, inner: found[0] };
      return { kind: "items", items: found, at: token.at, end, square: token.text === "[" };
    }
    if (token.text in PREFIX) {
      k++;
      const right = expression(PREFIX[token.text]);
      return { kind: "operation", sign: token.text, left: null, right, at: token.at, end: right.end };
    }
    return fail();
  }
  function expression(least) {
    let left = primary();
    for (;;) {
      const sign = peek();
      const power = sign.kind === "text" ? null : BINDING[sign.text];
      if (!power || power[0] < least) return left;
      k++;
      const right = expression(power[1]);
      left = { kind: "operation", sign: sign.text, left, right, at: left.at, end: right.end, signAt: sign.at };
    }
  }
  const tree = expression(0);
  if (peek().kind !== "end") fail();
  return tree;
}
