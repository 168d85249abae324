import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Change } from '#client';
import { getRevision } from '@/lib/api/get-revision';
import { kindOf, kinds } from '@/lib/kinds';
import { many, t } from '@/locales';

/** More are counted. */
const NAMED_MAX = 2;
/** While revisions come all the time, none of them is asked for. */
const SETTLED_MILLIS = 1_000;

type Named = Readonly<Record<'singular' | 'id', string>>;

const done = {
  CREATE: (what: Named) => t('Created {singular} {id}', what),
  UPDATE: (what: Named) => t('Changed {singular} {id}', what),
  DELETE: (what: Named) => t('Deleted {singular} {id}', what),
} as const;

interface RevisionWordsProps {
  readonly number: number;
  /** How many resources it changed. */
  readonly count: number;
}

/** What a revision without a message changed: resources by name, if they are few. */
export function RevisionWords({ number, count }: RevisionWordsProps) {
  const [settled] = useDebouncedValue(number, SETTLED_MILLIS);
  const { data } = useQuery({
    ...getRevision(number),
    enabled: count <= NAMED_MAX && settled === number,
    retry: false,
  });
  return data === undefined || data.changes.length === 0
    ? many(count, '{count} change', '{count} changes')
    : wordsOf(data.changes);
}

function wordsOf(changes: readonly Pick<Change, 'action' | 'kind' | 'id'>[]): string {
  return changes
    .map(({ action, kind, id }) => done[action]({ singular: kinds[kindOf(kind)].singular, id }))
    .join(' · ');
}
