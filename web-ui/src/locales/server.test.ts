import { describe, expect, it } from 'vitest';
import { translator } from '@/locales/server';
import chinese from '@/locales/zh-CN/server.json';

const translate = translator(chinese);

describe('a sentence of the control plane', () => {
  it.each([
    ['There is no revision 12.', '没有版本 12。'],
    ['a whole number 1..65535', '1..65535 之间的整数'],
    ['only with protocol BOLT', '仅用于 BOLT 协议'],
    // A sentence in a sentence.
    [
      'The expression matches no path: no path has "//": the router merges slashes.',
      '表达式不匹配任何路径：路径中不会有“//”：路由器会合并斜杠。',
    ],
    ['no path has "//": the router merges slashes.', '路径中不会有“//”：路由器会合并斜杠。'],
    // The more exact one.
    ['at most 500, the responseMillis of timeouts', '最多 500，即超时设置中的 responseMillis'],
    ['at most 500', '最多 500'],
    ['one of GET, HEAD', '以下之一：GET, HEAD'],
  ])('%s', (sentence, expected) => {
    expect(translate(sentence)).toBe(expected);
  });

  it('keeps the values as they are', () => {
    expect(translate('There is no user "none".')).toBe('没有用户“none”。');
    expect(translate('"{id}": there is no such consumer.')).toBe('“{id}”：没有这样的消费者。');
  });

  it('stays English where the catalogue lacks it, and where it is long', () => {
    expect(translate('Something else.')).toBe('Something else.');
    expect(translate('toString')).toBe('toString');
    const long = `There is no user "${'a'.repeat(5000)}".`;
    expect(translate(long)).toBe(long);
  });
});
