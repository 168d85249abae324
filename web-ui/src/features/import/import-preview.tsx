import { Alert, Badge, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Change, ChangeAction, FieldError, ImportResult } from '#client';
import { EntityDiffView } from '@/components/entity-diff-view';
import { Mono } from '@/components/mono';
import { RevisionFindings } from '@/components/revision-findings';
import { TableScroller } from '@/components/table-scroller';
import { jsonDiff } from '@/lib/json-diff';
import { capitalized, kindOf, kinds } from '@/lib/kinds';
import { many, number, t } from '@/locales';
import { translateServer } from '@/locales/server';

const actions = {
  CREATE: { color: 'green', text: t('Created') },
  UPDATE: { color: 'blue', text: t('Updated') },
  DELETE: { color: 'red', text: t('Deleted') },
} as const satisfies Record<ChangeAction, unknown>;

const SHOWN_MAX = 50;

/** What an import would do, field by field, or has done. */
export function ImportPreview({ result, dryRun }: { result: ImportResult; dryRun: boolean }) {
  const { created, updated, deleted, unchanged, changes = [], warnings, losses = [], revision } = result;
  const summary = t('{created} created, {updated} updated, {deleted} deleted, {unchanged} unchanged', {
    created: number(created),
    updated: number(updated),
    deleted: number(deleted),
    unchanged: number(unchanged),
  });
  return (
    <Stack mt="md" gap="md">
      <Paper withBorder role="region" aria-label={t(dryRun ? 'Preview' : 'Result')}>
        <Title order={2} size="h4" p="md" pb={4}>
          {dryRun
            ? t('Preview of the changes')
            : t('Committed as revision {revision}', { revision: revision.number })}
        </Title>
        <Text size="sm" c="dimmed" px="md" pb="sm">
          {changes.length === 0
            ? many(
                unchanged,
                'Nothing changes: {count} resource is already like this.',
                'Nothing changes: {count} resources are already like this.',
              )
            : summary}
        </Text>
        {dryRun ? <Planned changes={changes} /> : changes.length > 0 && <Done changes={changes} />}
      </Paper>
      {losses.length > 0 && (
        <Alert
          color="red"
          icon={<IconAlertTriangle />}
          title={
            dryRun
              ? many(
                  losses.length,
                  '{count} operation loses additions to its route; the import needs force',
                  '{count} operations lose additions to their routes; the import needs force',
                )
              : many(
                  losses.length,
                  '{count} operation loses additions to its route',
                  '{count} operations lose additions to their routes',
                )
          }
        >
          <Remarks remarks={losses} />
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle />}
          title={many(
            warnings.length,
            '{count} difference to the document',
            '{count} differences to the document',
          )}
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
      <code>{pointer === '' ? '/' : pointer}</code> {translateServer(detail)}
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
          {many(hidden, 'and {count} more resource', 'and {count} more resources')}
        </Text>
      )}
    </Stack>
  );
}

function Done({ changes }: { changes: readonly Change[] }) {
  return (
    <TableScroller minWidth={480} label={t('Changes')}>
      <Table verticalSpacing={6} horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={110}>{t('Action')}</Table.Th>
            <Table.Th w={160}>{t('Kind')}</Table.Th>
            <Table.Th>{t('Id')}</Table.Th>
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
