import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resourceForms } from '@/features/resources/resource-forms';
import chinese from '@/locales/zh-CN/contract.json';
import { contractTexts } from '@/test/contract-texts';

const catalogue: Readonly<Record<string, string>> = chinese;
// The tests run in English: so the forms have the texts as they are in the contract and in the code.
const { texts, examples } = contractTexts(Object.values(resourceForms));

describe('the Chinese catalogue of the contract', () => {
  it('has each text that a form can show', () => {
    expect(
      [...texts].filter((text) => !Object.hasOwn(catalogue, text)),
      'add the Chinese of these to src/locales/zh-CN/contract.json',
    ).toEqual([]);
  });

  it('has no text that no form shows', () => {
    expect(
      Object.keys(catalogue).filter((text) => !texts.has(text) && !examples.has(text)),
      'remove these from src/locales/zh-CN/contract.json',
    ).toEqual([]);
  });

  it('has the code of each text, and its documents', () => {
    const exactIn = (text: string) =>
      [...text.matchAll(/`[^`]*`|\bRFC \d+/g)].map(([part]) => part).toSorted();
    const different = Object.entries(catalogue).filter(
      ([text, entry]) => exactIn(text).join() !== exactIn(entry).join(),
    );
    expect(different).toEqual([]);
  });

  it('is sorted', () => {
    const keys = Object.keys(catalogue);
    expect(keys).toEqual(keys.toSorted());
  });
});

describe('in Chinese', () => {
  beforeEach(async () => {
    vi.resetModules();
    localStorage.setItem('sigma.language', 'zh-CN');
    const { loadSentences } = await import('@/locales');
    const { loadContract } = await import('@/locales/contract');
    const { loadServer } = await import('@/locales/server');
    await Promise.all([loadSentences(), loadContract(), loadServer()]);
  });
  afterEach(() => {
    vi.resetModules();
    localStorage.clear();
    document.documentElement.lang = 'en';
  });

  it('a form has no English label, help, option or title', async () => {
    const { resourceForms: forms } = await import('@/features/resources/resource-forms');
    const { contractTexts: textsOf } = await import('@/test/contract-texts');
    const shown = [...textsOf(Object.values(forms)).texts].filter(
      // Descriptions are translated where they are shown.
      (text) => Object.hasOwn(catalogue, text) && catalogue[text] !== text,
    );
    const { contractFacts } = await import('#contract');
    const described = new Set(
      Object.values(contractFacts).flatMap(({ description, properties }) => [
        description,
        ...Object.values(properties).map((facts) => facts.description),
      ]),
    );
    expect(shown.filter((text) => !described.has(text))).toEqual([]);
  });

  it('a help text names the fields as the form does', async () => {
    const { resourceForms: forms } = await import('@/features/resources/resource-forms');
    const { factsOf } = await import('@/components/form/field-facts');
    const { inLabels, labelsOf } = await import('@/components/form/field-labels');
    const { translateContract } = await import('@/locales/contract');
    const form = forms['proxy-passes'];
    expect(form.fields.addPrefix?.label).toBe('添加前缀');
    const help = translateContract(factsOf('ProxyPass', 'addPrefix').description ?? '');
    expect(inLabels(help, 'ProxyPass', labelsOf(form))).toBe(
      '在 “移除前缀” 之后，加在节点收到的路径前面，如 `/v2`。',
    );
  });

  it('an error says in Chinese what the control plane says in English', async () => {
    const { FieldErrorCode } = await import('#client');
    const { messageOf } = await import('@/components/form/field-messages');
    const error = (code: (typeof FieldErrorCode)[keyof typeof FieldErrorCode], values: object) =>
      messageOf({ pointer: '/x', detail: 'English', code, values }, { label: '端口' });
    expect(error(FieldErrorCode.Range, { minimum: 1, maximum: 65_535 })).toBe(
      '端口必须在 1 到 65,535 之间。',
    );
    expect(error(FieldErrorCode.Required, { expected: 'at least one node' })).toBe(
      '端口为必填项。应为：至少一个节点。',
    );
    expect(
      error(FieldErrorCode.Invalid, { given: 'every weight is 0', expected: 'at least one weight above 0' }),
    ).toBe('所有权重都是 0。应为：至少一个大于 0 的权重。');
  });
});
