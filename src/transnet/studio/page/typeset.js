// Formulas as MathML, which browsers draw by themselves. Everything is made with textContent: no markup is read.
import { parse } from "./grammar.js";

const SPACE = "http://www.w3.org/1998/Math/MathML";
const GREEK = {
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", eps: "ε", zeta: "ζ", eta: "η", theta: "θ", kappa: "κ", lam: "λ",
  lambda_: "λ", mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", phi: "φ", chi: "χ", psi: "ψ", omega: "ω",
  Gamma: "Γ", Delta: "Δ", Theta: "Θ", Lambda: "Λ", Xi: "Ξ", Sigma: "Σ", Phi: "Φ", Psi: "Ψ", Omega: "Ω",
};
const LEVEL = { "=": 0, or: 1, and: 2, "<": 3, ">": 3, "<=": 3, ">=": 3, "|": 3, "&": 3, "+": 4, "-": 4, "*": 5, "/": 6, "**": 7, "^": 7 };

function node(name, ...children) {
  const made = document.createElementNS(SPACE, name);
  for (const child of children) made.append(typeof child === "string" ? document.createTextNode(child) : child);
  return made;
}
const row = (...children) => node("mrow", ...children);
const sign = (text) => node("mo", text);
const brackets = (inner, open = "(", close = ")") => row(sign(open), inner, sign(close));

function name(text) {
  const [head, ...tail] = text.split("_");
  const shown = node("mi", GREEK[head] ?? head);
  if ((GREEK[head] ?? head).length > 1) shown.setAttribute("mathvariant", "normal");
  const rest = tail.join("_");
  if (!rest) return shown;
  // Up to four letters of coordinates are derivatives; anything else is a word, and upright.
  const letters = /^[xyztrs]{1,4}$/.test(rest) ? row(...[...rest].map((c) => node("mi", c))) : name(rest);
  return node("msub", shown, letters);
}

// A sign before a sum's first term needs no brackets, elsewhere it does.
const level = (tree) => (tree.kind === "operation" ? (tree.left ? LEVEL[tree.sign] : 4.5) : 9);
const wrapped = (tree, least) => (level(tree) < least ? brackets(math(tree)) : math(tree));
const list = (trees) => row(...trees.flatMap((t, k) => (k ? [sign(","), math(t)] : [math(t)])));

function operation(tree) {
  const { sign: mark, left, right } = tree;
  if (!left) return row(sign(mark === "-" ? "−" : mark), wrapped(right, 5));
  switch (mark) {
    case "/": return node("mfrac", math(left), math(right));
    case "**": case "^": {
      const power = math(right);
      if (left.kind === "call" && left.args.length === 1 && !["sqrt", "exp", "abs", "laplacian", "grad", "div", "dn"].includes(left.name))
        return row(node("msup", name(left.name), power), brackets(math(left.args[0])));
      return node("msup", left.kind === "call" && left.name !== "sqrt" ? brackets(math(left)) : wrapped(left, 8), power);
    }
    case "*": {
      const tight = right.kind === "number" || (right.kind === "operation" && right.left?.kind === "number");
      return row(left.kind === "operation" && !left.left ? math(left) : wrapped(left, 5), sign(tight ? "·" : "\u2062"), wrapped(right, mark === "*" ? 5 : 6));
    }
    case "-": return row(wrapped(left, 4), sign("−"), wrapped(right, 5));
    case "+": return row(wrapped(left, 4), sign("+"), wrapped(right, 4));
  }
  const shown = { "<=": "≤", ">=": "≥", and: "∧", or: "∨", "|": "∪", "&": "∩" }[mark] ?? mark;
  return row(wrapped(left, LEVEL[mark]), sign(shown), wrapped(right, LEVEL[mark] + 0.1));
}

function call(tree) {
  const [first, ...rest] = tree.args;
  const one = () => (level(first) < 9 ? brackets(math(first)) : math(first));
  switch (tree.name) {
    case "sqrt": return node("msqrt", math(first));
    case "abs": return brackets(math(first), "|", "|");
    case "exp": return node("msup", node("mi", "e"), math(first));
    case "laplacian": return row(sign("Δ"), one());
    case "biharmonic": return row(node("msup", sign("Δ"), node("mn", "2")), one());
    case "grad": return row(sign("∇"), one());
    case "div": return row(sign("∇"), sign("·"), one());
    case "curl": return row(sign("∇"), sign("×"), one());
    case "dn": case "normal_derivative": return row(node("msub", sign("∂"), node("mi", "n")), one());
    case "diff": {
      const names = [];
      rest.forEach((t) => { if (t.kind === "number") for (let k = 1; k < +t.text; k++) names.push(names.at(-1)); else names.push(t.name ?? "?"); });
      return row(node("msub", sign("∂"), row(...names.map((n) => node("mi", n)))), one());
    }
    case "mean": return row(sign("⟨"), math(first), sign("⟩"));
  }
  return row(name(tree.name), sign("\u2061"), row(sign("("), list(tree.args), sign(")")));
}

function math(tree) {
  switch (tree.kind) {
    case "number": return node("mn", tree.text);
    case "name": return name(tree.name);
    case "text": return node("mtext", tree.text);
    case "items": return brackets(list(tree.items), tree.square ? "[" : "(", tree.square ? "]" : ")");
    case "keyword": return row(node("mi", tree.name), sign("="), math(tree.value));
    case "call": return call(tree);
    default: return operation(tree);
  }
}

// A line of the page, such as "u = 0 on left where y > 0"; null where it cannot be read.
export function typeset(text) {
  const place = text.match(/^(.*?)(\s+\b(?:on|at|in)\b\s+.*)$/s);
  const left = (place ? place[1] : text).trim();
  if (!left || text.trim().startsWith("{")) return null;
  try {
    const whole = node("math");
    whole.setAttribute("display", "inline");
    if (left === "periodic") whole.append(node("mtext", "periodic"));
    else split(left).forEach((part, k) => { if (k) whole.append(sign(","), node("mspace")); whole.append(math(parse(part))); });
    if (place) {
      const words = node("mtext", `\u2003${place[2].trim()}`);
      words.setAttribute("class", "place");
      whole.append(words);
    }
    return whole;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function split(text) {
  const parts = [""];
  let depth = 0;
  for (const c of text) {
    if ("([".includes(c)) depth++;
    if (")]".includes(c)) depth--;
    if (c === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += c;
  }
  return parts;
}
