import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
/** As much of a sentence as has to stand in the code in one piece. */
const PIECE_LENGTH = 12;

describe.each(['zh-CN'])('what the catalogue of %s knows of the control plane', (language) => {
  const catalogue = JSON.parse(
    readFileSync(join(root, 'web-ui/src/locales', language, 'server.json'), 'utf8'),
  ) as Readonly<Record<string, string>>;

  it('has the values of each sentence', () => {
    const valuesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).toSorted();
    const different = Object.entries(catalogue).filter(
      ([sentence, entry]) => valuesIn(sentence).join() !== valuesIn(entry).join(),
    );
    expect(different).toEqual([]);
  });

  it('has what checks expect', () => {
    const forms = Object.keys(catalogue).map(
      (sentence) =>
        new RegExp(`^${sentence.replaceAll(/[\\^$.*+?()[\]|]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+?')}$`),
    );
    const expected = [...code().matchAll(/Mismatch\s*\.(?:present|absent)\(\s*"([^"]*)"\s*\)/g)]
      .concat([
        ...code().matchAll(/Mismatch\s*\.(?:of|quoted)\((?:[^",;()]|\([^()]*\)|"[^"]*")+,\s*"([^"]*)"\s*\)/g),
      ])
      .map(([, text = '']) => text);
    expect(expected.length).toBeGreaterThan(100);
    // A single word, or one that begins with a capital, is a value.
    const unknown = expected.filter(
      (text) => /^[a-z].* /.test(text) && !forms.some((form) => form.test(text)),
    );
    expect(unknown).toEqual([]);
  });

  it('has only sentences that the control plane or a gateway can send', () => {
    const known = code().replaceAll('\\"', '"');
    const stale = Object.keys(catalogue).filter((sentence) => {
      const longest = sentence
        .split(/\{\w+\}/)
        .reduce((one, other) => (other.length > one.length ? other : one));
      const length = Math.min(PIECE_LENGTH, longest.length);
      // Code may put a sentence together of several pieces.
      return !Array.from({ length: longest.length - length + 1 }, (_, at) =>
        longest.slice(at, at + length),
      ).some((piece) => known.includes(piece));
    });
    expect(stale).toEqual([]);
  });

  it('is sorted', () => {
    const keys = Object.keys(catalogue);
    expect(keys).toEqual(keys.toSorted());
  });
});

/** Returns the code of both planes, in which a text that is put together of literals is one. */
function code(): string {
  return ['common', 'control-plane', 'data-plane']
    .flatMap((module) => javaIn(join(root, module, 'src/main/java')))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
    .replaceAll(/"\s*\+\s*"/g, '');
}

function javaIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.java'))
    .map((entry) => join(entry.parentPath, entry.name));
}
