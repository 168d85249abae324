import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { FieldError, RouteTestResult } from '#client';
import { textOf, type Draft } from '@/components/form/draft';
import { messageOf } from '@/components/form/field-messages';
import { useFormState } from '@/components/form/form-context';
import { labelOf } from '@/components/form/label-of';
import { rewriteTrials, TRIED } from '@/components/form/plugins/rewrite-trial';
import { Mono } from '@/components/mono';
import { ApiError } from '@/lib/api/api-error';
import { testRoute } from '@/lib/api/test-route';
import { stepsOf } from '@/lib/json-pointer';
import { useLimit } from '@/lib/may-change';
import { useMayWrite } from '@/lib/session';
import { rich, t } from '@/locales';
import { translateContract } from '@/locales/contract';
import { translateServer } from '@/locales/server';

/** A gateway is asked when somebody stops typing. */
const TYPING_PAUSE_MILLIS = 400;

/** Has a gateway say which path a node receives, by what the form has now. Only editors may ask about a draft. */
export function RewriteTry({ draft }: { readonly draft: Draft }) {
  return useMayWrite()(...TRIED) ? <Trial draft={draft} /> : null;
}

function Trial({ draft }: { readonly draft: Draft }) {
  const { draft: whole } = useFormState();
  const { labels } = useLimit();
  const [trialOf] = useState(() => rewriteTrials(labels));
  const [path, setPath] = useState('');
  // Only a proxy pass has prefixes of its own.
  const typed = [
    path.trim(),
    ...[draft.regexp, draft.replacement, whole.stripPrefix, whole.addPrefix].map(textOf),
  ];
  const [paused] = useDebouncedValue(typed.join('\n'), TYPING_PAUSE_MILLIS);
  const [asked = '', regexp = '', replacement = '', stripPrefix = '', addPrefix = ''] = paused.split('\n');
  const possible = isPath(asked) && regexp !== '' && replacement !== '';
  const { wish, operations } = trialOf(asked, { regexp, replacement, stripPrefix, addPrefix });
  const { data, error } = useQuery({
    ...testRoute(wish, operations),
    enabled: possible,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const settled = paused === typed.join('\n');
  const prefixed = stripPrefix !== '' || addPrefix !== '';
  return (
    <div role="group" aria-label={t('Try a path')}>
      <TextInput
        label={t('Try a path')}
        description={t('A gateway answers by the fields above. It sends nothing to a node.')}
        placeholder="/test/carts/7"
        value={path}
        autoComplete="off"
        spellCheck={false}
        maw="32rem"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      <div role="status" aria-label={t('What a node receives')}>
        {path.trim() !== '' && (
          <Text size="sm" mt="xs" component="div" style={{ overflowWrap: 'anywhere' }}>
            {!isPath(path.trim()) ? (
              t('A path begins with / and has no spaces.')
            ) : regexp === '' || replacement === '' ? (
              t('Fill in the expression and the replacement first.')
            ) : !settled || (data === undefined && error === null) ? (
              t('Asking a gateway…')
            ) : error !== null ? (
              refusalOf(error)
            ) : (
              <Answer asked={asked} result={data} prefixed={prefixed} />
            )}
          </Text>
        )}
      </div>
    </div>
  );
}

interface AnswerProps {
  readonly asked: string;
  readonly result: RouteTestResult | undefined;
  readonly prefixed: boolean;
}

function Answer({ asked, result, prefixed }: AnswerProps): ReactNode {
  if (result?.request === undefined) {
    return translateServer(result?.detail ?? '');
  }
  const { path, query } = result.request;
  const target = <Mono>{query === undefined ? path : `${path}?${query}`}</Mono>;
  if (path === asked.replace(/\?.*/, '')) {
    return rich('The path stays as it is: the node receives {target}.', { target });
  }
  return prefixed
    ? rich('The node receives {target}. The prefixes of this proxy pass are applied, too.', { target })
    : rich('The node receives {target}.', { target });
}

/** As the fields of the plugin are called. */
const labels: Readonly<Record<string, string>> = {
  regexp: translateContract('Expression'),
  replacement: translateContract('Replacement'),
};

function refusalOf(error: Error): string {
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  return errors.length === 0 ? error.message : errors.map(sentenceOf).join(' ');
}

function sentenceOf(error: FieldError): string {
  const field = stepsOf(error.pointer).at(-1) ?? '';
  const label = labels[field];
  return messageOf(error, { label: label ?? labelOf(field) });
}

function isPath(text: string): boolean {
  return /^\/[\u0021-\u007e]*$/.test(text);
}
