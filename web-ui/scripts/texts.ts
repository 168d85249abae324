// Finds the texts of the dashboard: the sentences that it takes from the catalogues, and those that it does not.
import ts from 'typescript';

/** A text in the code, with the line on which it stands, from 1. */
export interface Found {
  readonly text: string;
  readonly line: number;
}

export interface Texts {
  /** The English sentences of `t`, `many` and `rich`, by which the catalogues know them. */
  readonly sentences: readonly Found[];
  /** Those of them that are looked up as soon as the file is imported. */
  readonly constants: readonly Found[];
  /** Texts for people that go past the catalogues. */
  readonly bare: readonly Found[];
}

const LETTERS = /\p{L}{2}/u;
/** Two words, or one that begins like a sentence. What programs read seldom looks like this. */
const SENTENCE = /^\p{Lu}\p{Ll}{2,}$|\p{L}{2,}[,:;.]? \p{L}/u;
/** A word beside a value. */
const AROUND = /\p{L}{2,}:? …|…,? \p{L}{2,}/u;
/** Attributes and properties whose text people read or hear. */
const TEXTUAL =
  /^(action|aria-(label|description|roledescription|valuetext)|alt|caption|children|description|detail|empty|error|group|heading|help|label|legend|meaning|message|name|none|note|placeholder|plural|singular|subtitle|summary|text|title|unit|what|word|words)$/;
/** Commands, addresses, JSON, fonts, styles and marks of files: the same in each language. */
const FOR_PROGRAMS =
  /^(openssl |curl |-H |https?:\/\/|-----|\[?\{ ")|var\(--|(sans-serif|monospace)$|^(JSON|SNI|URL)$/;
/** What takes names of the contract, and what looks for a part of a text. Texts of the contract have their own catalogue. */
const PROGRAM_CALLS =
  /^(translateContract|contractShape|factsOf|formSpec|useLabels|(.*\.)?(endsWith|includes|startsWith))$/s;
/** Names, examples, header fields and units, which are the same in each language. */
const NAMES = /^(Prometheus|Sigma|Ctrl K|team|shop|X-Api-Key: …|Bearer …|(Host|Cookie): …|HTTP … …|… ms)$/;
/** Keys of a keyboard and header fields, where they are not shown. */
const KEYS =
  /^(Accept|Alt|Backspace|Control|Delete|End|Enter|Escape|Home|Meta|Origin|Shift|Space|Tab)$|^(Arrow|Page)(Up|Down|Left|Right)$/;
/** Hosts, addresses, labels and paths, as examples. */
const EXAMPLES = /^[\w*-]*([./:=_]+[\w*-]+)+$/;
const LOOK_UPS = new Map([
  ['t', 0],
  ['rich', 0],
  ['many', 2],
]);

/** @param name the name of the file, which ends in .ts or .tsx */
export function textsIn(name: string, source: string): Texts {
  const file = ts.createSourceFile(
    name,
    source,
    ts.ScriptTarget.Latest,
    true,
    name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const sentences: Found[] = [];
  const constants: Found[] = [];
  const bare: Found[] = [];
  const found = (text: string, node: ts.Node): Found => ({
    text: text.trim().replaceAll(/\s+/g, ' '),
    line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
  });
  const visit = (node: ts.Node): void => {
    if (isSilent(node)) {
      return;
    }
    if (isFailure(node)) {
      // Some of them are shown, and then say so by their look-up.
      node.arguments?.filter(ts.isCallExpression).forEach(visit);
      return;
    }
    const place = ts.isCallExpression(node) ? lookUpOf(node) : undefined;
    if (place !== undefined && ts.isCallExpression(node)) {
      if (ts.findAncestor(node, ts.isFunctionLike) === undefined) {
        constants.push(found(node.getText(), node));
      }
      node.arguments.forEach((argument, index) => {
        if (index === place) {
          sentences.push(
            ...literalsIn(argument).map((literal) => ({ ...found('', literal), text: literal.text })),
          );
        } else if (index > place || !ts.isStringLiteralLike(argument)) {
          visit(argument);
        }
      });
      return;
    }
    const text = textOf(node);
    if (
      text !== undefined &&
      LETTERS.test(text) &&
      !NAMES.test(text) &&
      !EXAMPLES.test(text) &&
      !FOR_PROGRAMS.test(text) &&
      isForPeople(node, text)
    ) {
      bare.push(found(text, node));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { sentences, constants, bare };
}

/** Types and imports. */
function isSilent(node: ts.Node): boolean {
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

/** What whoever repairs the dashboard reads. */
function isFailure(node: ts.Node): node is ts.NewExpression {
  return (
    ts.isNewExpression(node) &&
    ['Error', 'RangeError', 'TypeError', 'RegExp'].includes(node.expression.getText())
  );
}

function lookUpOf({ expression }: ts.CallExpression): number | undefined {
  return ts.isIdentifier(expression) ? LOOK_UPS.get(expression.text) : undefined;
}

/** The sentence, or those between which the code chooses. */
function literalsIn(node: ts.Expression): readonly ts.StringLiteralLike[] {
  if (ts.isStringLiteralLike(node)) {
    return [node];
  }
  if (ts.isConditionalExpression(node)) {
    return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)];
  }
  return ts.isParenthesizedExpression(node) ? literalsIn(node.expression) : [];
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) {
    return node.text.trim();
  }
  return ts.isTemplateExpression(node)
    ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…')
    : undefined;
}

function isForPeople(node: ts.Node, text: string): boolean {
  if (isCode(node.parent)) {
    return false;
  }
  if (ts.isJsxText(node)) {
    return true;
  }
  const user = userOf(node);
  if (ts.isJsxAttribute(user)) {
    return TEXTUAL.test(user.name.getText());
  }
  if (ts.isJsxExpression(user)) {
    return ts.isJsxAttribute(user.parent) ? TEXTUAL.test(user.parent.name.getText()) : true;
  }
  if (isCompared(user, node) || isOfProgram(user)) {
    return false;
  }
  return SENTENCE.test(text) ? !KEYS.test(text) : ts.isTemplateExpression(node) && AROUND.test(text);
}

function isCode(node: ts.Node): boolean {
  return ts.isJsxElement(node) && /^(Code|Kbd|Mono|code)$/.test(node.openingElement.tagName.getText());
}

/** What takes the text, through the choices on the way. */
function userOf(node: ts.Node): ts.Node {
  let child = node;
  let { parent } = node;
  while (
    ts.isParenthesizedExpression(parent) ||
    (ts.isConditionalExpression(parent) && parent.condition !== child) ||
    (ts.isBinaryExpression(parent) &&
      parent.right === child &&
      ['&&', '||', '??'].includes(parent.operatorToken.getText()))
  ) {
    child = parent;
    parent = parent.parent;
  }
  return parent;
}

function isOfProgram(user: ts.Node): boolean {
  return ts.isCallExpression(user) && PROGRAM_CALLS.test(user.expression.getText());
}

/** Keys, cases and comparisons: programs read them. */
function isCompared(user: ts.Node, node: ts.Node): boolean {
  return (
    (ts.isBinaryExpression(user) && /^[!=]==$/.test(user.operatorToken.getText())) ||
    ts.isCaseClause(user) ||
    ts.isElementAccessExpression(user) ||
    (ts.isPropertyAssignment(user) && user.name === node)
  );
}

/** Returns the files, without their ends, that a file of `src` imports before it runs: `@/lib/session`. */
export function importsOf(source: string): readonly string[] {
  return ts
    .preProcessFile(source, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((path) => path.startsWith('@/') && !source.includes(`import('${path}')`));
}
