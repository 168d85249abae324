import { Alert, Badge, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Change, ChangeAction, FieldError, ImportResult } from '#client';
import { EntityDiffView } from '@/components/entity-diff-view';
import { Mono } from '@/components/mono';
import { RevisionFindings } from '@/components/revision-findings';
import { TableScroller } from '@/components/table-scroller';
import { jsonDiff } from '@/lib/json-diff';
import { capitalized, kindOf, kinds } from '@/lib/kinds';

const actions = {
  CREATE: { color: 'green', text: 'Created' },
  UPDATE: { color: 'blue', text: 'Updated' },
  DELETE: { color: 'red', text: 'Deleted' },
} as const satisfies Record<ChangeAction, unknown>;

const SHOWN_MAX = 50;

/** What an import would do, field by field, or has done. */
export function ImportPreview({ result, dryRun }: { result: ImportResult; dryRun: boolean }) {
  const { created, updated, deleted, unchanged, changes = [], warnings, losses = [], revision } = result;
  const summary = `${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`;
  return (
    <Stack mt="md" gap="md">
      <Paper withBorder role="region" aria-label={dryRun ? 'Preview' : 'Result'}>
        <Title order={2} size="h4" p="md" pb={4}>
          {dryRun ? 'Preview of the changes' : `Committed as revision ${revision.number}`}
        </Title>
        <Text size="sm" c="dimmed" px="md" pb="sm">
          {changes.length === 0 ? `Nothing changes: ${unchanged} resources are already like this.` : summary}
        </Text>
        {dryRun ? <Planned changes={changes} /> : changes.length > 0 && <Done changes={changes} />}
      </Paper>
      {losses.length > 0 && (
        <Alert
          color="red"
          icon={<IconAlertTriangle />}
          title={`${losses.length} operations lose additions to their routes${dryRun ? '; the import needs force' : ''}`}
        >
          <Remarks remarks={losses} />
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle />}
          title={`${warnings.length} differences to the document`}
        >
          <Remarks remarks={warnings} />
        </Alert>
      )}
      <RevisionFindings revision={revision} />
    </Stack>
  );
}

function Remarks({ remarks }: { remarks: readonly FieldError[] }) {
  return remarks.map(({ pointer, detail }) => (
    <Text key={`${pointer} ${detail}`} size="sm">
      <code>{pointer === '' ? '/' : pointer}</code> {detail}
    </Text>
  ));
}

function Planned({ changes }: { changes: readonly Change[] }) {
  const hidden = changes.length - SHOWN_MAX;
  return (
    <Stack gap="sm" px="md" pb="md">
      {changes.slice(0, SHOWN_MAX).map(({ kind, id, action, before, after }) => (
        <EntityDiffView
          key={`${kind} ${id}`}
          change={{ kind, id, action, fields: jsonDiff(before, after) }}
          planned
        />
      ))}
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          and {hidden} more {hidden === 1 ? 'resource' : 'resources'}
        </Text>
      )}
    </Stack>
  );
}

function Done({ changes }: { changes: readonly Change[] }) {
  return (
    <TableScroller minWidth={480} label="Changes">
      <Table verticalSpacing={6} horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={110}>Action</Table.Th>
            <Table.Th w={160}>Kind</Table.Th>
            <Table.Th>Id</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ action, kind, id }) => (
            <Table.Tr key={`${kind} ${id}`}>
              <Table.Td>
                <Badge color={actions[action].color} variant="light" tt="none">
                  {actions[action].text}
                </Badge>
              </Table.Td>
              <Table.Td>{capitalized(kinds[kindOf(kind)].singular)}</Table.Td>
              <Table.Td>
                <Mono whole>{id}</Mono>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroller>
  );
}
