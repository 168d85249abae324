import { Anchor, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Change, ChangeAction } from '#client';
import { DiffTable } from '@/components/diff-table';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { ResourceLink } from '@/components/resource-link';
import { TimeAgo } from '@/components/time-ago';
import { getRevision } from '@/lib/api/get-revision';
import { capitalized, kindOf, kinds } from '@/lib/kinds';

const actions = {
  CREATE: { text: 'Created', color: 'green' },
  UPDATE: { text: 'Changed', color: 'sigma' },
  DELETE: { text: 'Deleted', color: 'red' },
} as const satisfies Record<ChangeAction, unknown>;

export function RevisionPage({ number }: { number: number }) {
  const query = useQuery(getRevision(number));
  return (
    <>
      <PageHeader
        title={`Revision ${number}`}
        above={
          <Anchor size="xs" renderRoot={(props) => <Link {...props} to="/revisions" />}>
            Revisions
          </Anchor>
        }
        subtitle={
          query.data && (
            <>
              {query.data.message !== undefined && `${query.data.message} · `}
              {query.data.author} · <TimeAgo at={query.data.committedAt} /> · state{' '}
              <Mono title={query.data.stateHash}>{query.data.stateHash.slice(0, 12)}</Mono>
            </>
          )
        }
      />
      <QueryView query={query}>
        {({ changes }) => (
          <Stack gap="md">
            {changes.map((change) => (
              <ChangeView key={`${change.kind} ${change.id}`} change={change} />
            ))}
          </Stack>
        )}
      </QueryView>
    </>
  );
}

function ChangeView({ change }: { change: Change }) {
  const kind = kindOf(change.kind);
  const { text, color } = actions[change.action];
  return (
    <Paper withBorder component="section" p="md" aria-label={`${kinds[kind].singular} ${change.id}`}>
      <Group gap="xs" mb="xs">
        <Badge color={color} variant="light" tt="none">
          {text}
        </Badge>
        <Title order={2} size="sm" fw={550}>
          {capitalized(kinds[kind].singular)}
        </Title>
        {change.action === 'DELETE' ? (
          <Text span size="sm">
            <Mono>{change.id}</Mono>
          </Text>
        ) : (
          <ResourceLink kind={kind} id={change.id} />
        )}
      </Group>
      <DiffTable before={change.before} after={change.after} />
    </Paper>
  );
}
