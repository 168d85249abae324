import { Anchor, Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconArrowBackUp, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { EntityDiffView, type EntityChange } from '@/components/entity-diff-view';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { TimeAgo } from '@/components/time-ago';
import { AcksCard } from '@/features/revisions/acks-card';
import { RollbackDialog, type RollbackTarget } from '@/components/rollback-dialog';
import { ApiError } from '@/lib/api/api-error';
import { diffRevisions } from '@/lib/api/diff-revisions';
import { getRevision } from '@/lib/api/get-revision';
import { latestRevisions } from '@/lib/api/list-revisions';
import { jsonDiff, toldDiff } from '@/lib/json-diff';
import { useLabelsOf } from '@/lib/api/resources-by-id';
import { kindOf } from '@/lib/kinds';
import { useLimit } from '@/lib/may-change';
import { useHasRole, useMayWrite } from '@/lib/session';
import { whoOf } from '@/lib/who';
import { number as formatted, rich, t } from '@/locales';

const TYPING_PAUSE_MILLIS = 400;

interface RevisionPageProps {
  readonly number: number;
  /** The revision to compare with; undefined for the one that its changes start from. */
  readonly from: number | undefined;
}

export function RevisionPage({ number, from: wanted }: RevisionPageProps) {
  const query = useQuery(getRevision(number));
  const base = query.data?.since ?? number - 1;
  const from = wanted ?? base;
  const head = useQuery(latestRevisions).data?.[0]?.number;
  const navigate = useNavigate();
  // Not before it is known which one is the newest: that decides what is offered first.
  const mayRollBack = useHasRole('EDITOR') && head !== undefined;
  // The state of everything has resources that a restricted token may not change.
  const mayRollBackAll = !useLimit().some && mayRollBack;
  const [opened, { open, close }] = useDisclosure();
  // At the newest revision what is meant is most likely the one before.
  const numbers = (number === head ? [from, number] : [number, from]).filter((one) => one > 0);
  const [target, setTarget] = useState<RollbackTarget>({ numbers });
  const ask = (entity?: RollbackTarget['entity']) => {
    setTarget({ numbers: entity === undefined ? numbers.filter((one) => one !== head) : numbers, entity });
    open();
  };
  return (
    <>
      <PageHeader
        title={t('Revision {number}', { number })}
        above={
          <Anchor size="xs" renderRoot={(props) => <Link {...props} to="/revisions" />}>
            {t('Revisions')}
          </Anchor>
        }
        subtitle={
          query.data && (
            <>
              {query.data.message !== undefined && `${query.data.message} · `}
              {whoOf(query.data.author)} · <TimeAgo at={query.data.committedAt} /> ·{' '}
              {rich('state {hash}', {
                hash: <Mono title={query.data.stateHash}>{query.data.stateHash.slice(0, 12)}</Mono>,
              })}
            </>
          )
        }
        actions={
          <>
            <Neighbour number={base} head={head} />
            <Neighbour number={number + 1} head={head} next />
            {mayRollBackAll && query.data && numbers.some((one) => one !== head) && (
              <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={() => ask()}>
                {t('Roll back…')}
              </Button>
            )}
          </>
        }
      />
      <QueryView query={query}>
        {() => (
          <Stack gap="md">
            <AcksCard number={number} />
            <ComparedWith
              from={from}
              max={head}
              onChange={(other) =>
                void navigate({
                  to: '/revisions/$number',
                  params: { number: String(number) },
                  search: { from: other === base ? undefined : other },
                  replace: true,
                })
              }
            />
            <Changes number={number} from={from} base={base} onRollBack={mayRollBack ? ask : undefined} />
          </Stack>
        )}
      </QueryView>
      <RollbackDialog
        opened={opened}
        target={target}
        onClose={close}
        onDone={(revision) => {
          close();
          void navigate({ to: '/revisions/$number', params: { number: String(revision) } });
        }}
      />
    </>
  );
}

interface NeighbourProps {
  readonly number: number;
  readonly head: number | undefined;
  readonly next?: boolean;
}

function Neighbour({ number, head, next = false }: NeighbourProps) {
  if (number < 1 || head === undefined || number > head) {
    return null;
  }
  const Arrow = next ? IconChevronRight : IconChevronLeft;
  return (
    <Button
      variant="subtle"
      color="gray"
      aria-label={
        next ? t('Next: revision {number}', { number }) : t('Previous: revision {number}', { number })
      }
      leftSection={next ? undefined : <Arrow size={16} aria-hidden />}
      rightSection={next ? <Arrow size={16} aria-hidden /> : undefined}
      renderRoot={(props) => <Link {...props} to="/revisions/$number" params={{ number: String(number) }} />}
    >
      {number}
    </Button>
  );
}

interface ComparedWithProps {
  readonly from: number;
  readonly max: number | undefined;
  readonly onChange: (from: number) => void;
}

function ComparedWith({ from, max, onChange }: ComparedWithProps) {
  const change = useDebouncedCallback((value: number) => onChange(value), TYPING_PAUSE_MILLIS);
  const [typed, setTyped] = useState<number | string>(from);
  const [known, setKnown] = useState(from);
  if (from !== known) {
    setKnown(from);
    setTyped(from);
  }
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" component="label" htmlFor="compared-with">
        {t('Compared with revision')}
      </Text>
      <NumberInput
        id="compared-with"
        size="xs"
        w={100}
        value={typed}
        min={0}
        max={max}
        clampBehavior="strict"
        allowDecimal={false}
        allowNegative={false}
        onChange={(value) => {
          setTyped(value);
          if (typeof value === 'number') {
            change(value);
          }
        }}
      />
      {from === 0 && (
        <Text size="sm" c="dimmed">
          {t('the empty state')}
        </Text>
      )}
    </Group>
  );
}

interface ChangesProps {
  readonly number: number;
  readonly from: number;
  readonly base: number;
  readonly onRollBack: ((entity: RollbackTarget['entity']) => void) | undefined;
}

function Changes({ number, from, base, onRollBack }: ChangesProps) {
  const diff = useQuery(diffRevisions(from, number));
  // The one before may no longer be kept: what the revision itself says is then all there is.
  const alone = from === base && diff.error instanceof ApiError && diff.error.status === 410;
  const detail = useQuery({ ...getRevision(number), enabled: alone });
  if (alone) {
    return (
      <QueryView query={detail}>
        {({ changes, changesTotal, truncated }) => (
          <>
            <ChangeList
              changes={changes.map(({ kind, id, action, before, after }) => ({
                kind,
                id,
                action,
                fields: jsonDiff(before, after),
              }))}
              onRollBack={onRollBack}
            />
            {truncated && (
              <Text size="sm" c="dimmed">
                {t('These are the first {count} of {all} changes.', {
                  count: changes.length,
                  all: changesTotal,
                })}
              </Text>
            )}
          </>
        )}
      </QueryView>
    );
  }
  return (
    <QueryView query={diff}>
      {({ changes, truncated }) => (
        <>
          <ChangeList
            changes={changes.map(({ fields, ...entity }) => ({ ...entity, fields: toldDiff(fields) }))}
            onRollBack={onRollBack}
          />
          {truncated && (
            <Text size="sm" c="dimmed">
              {t('More resources differ; these are the first {count}.', { count: formatted(changes.length) })}
            </Text>
          )}
        </>
      )}
    </QueryView>
  );
}

interface ChangeListProps {
  readonly changes: readonly EntityChange[];
  readonly onRollBack: ChangesProps['onRollBack'];
}

function ChangeList({ changes, onRollBack }: ChangeListProps) {
  const mayRollBack = useMayRollBack(changes);
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('No difference.')}
      </Text>
    );
  }
  return changes.map((change) => (
    <EntityDiffView
      key={`${change.kind} ${change.id}`}
      change={change}
      aside={
        onRollBack &&
        mayRollBack(change) && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconArrowBackUp size={14} aria-hidden />}
            aria-label={t('Roll back {id}', { id: change.id })}
            onClick={() => onRollBack({ kind: change.kind, id: change.id })}
          >
            {t('Roll back…')}
          </Button>
        )
      }
    />
  ));
}

/** Returns what says whether the token of whoever is logged in may roll back a resource. */
function useMayRollBack(changes: readonly EntityChange[]): (change: EntityChange) => boolean {
  const mayWrite = useMayWrite();
  const limit = useLimit();
  // Nobody else need ask which labels the resources have.
  const asked = limit.labels === undefined ? [] : changes;
  const labels = useLabelsOf(asked.map(({ kind, id }) => ({ kind: kindOf(kind), id })));
  return ({ kind, id }) => {
    // One that is gone is restored, with the labels that it had: the preview says whether it may be.
    const own = labels?.get(`${kindOf(kind)}/${id}`) ?? limit.labels ?? {};
    return mayWrite(kind) && labels !== undefined && limit.lacking(own).length === 0;
  };
}
