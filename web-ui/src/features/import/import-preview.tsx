import { Alert, Badge, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ChangeAction, ImportResult } from '#client';
import { Mono } from '@/components/mono';
import { SeverityBadge } from '@/components/severity-badge';
import { capitalized, kindOf, kinds } from '@/lib/kinds';

const actions = {
  CREATE: { color: 'green', text: 'Create' },
  UPDATE: { color: 'blue', text: 'Update' },
  DELETE: { color: 'red', text: 'Delete' },
} as const satisfies Record<ChangeAction, unknown>;

/** What an import would do, or has done. */
export function ImportPreview({ result, dryRun }: { result: ImportResult; dryRun: boolean }) {
  const { created, updated, deleted, unchanged, changes = [], warnings, revision } = result;
  const summary = `${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`;
  return (
    <Stack mt="md" gap="md">
      <Paper withBorder role="region" aria-label={dryRun ? 'Preview' : 'Result'}>
        <Title order={2} size="h4" p="md" pb={4}>
          {dryRun ? 'What it would change' : `Committed as revision ${revision.number}`}
        </Title>
        <Text size="sm" c="dimmed" px="md" pb="sm">
          {changes.length === 0 ? `Nothing: ${unchanged} resources are so already.` : summary}
        </Text>
        {changes.length > 0 && (
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
        )}
      </Paper>
      {warnings.length > 0 && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle />}
          title={`${warnings.length} things are not as the document says`}
        >
          {warnings.map(({ pointer, detail }) => (
            <Text key={`${pointer} ${detail}`} size="sm">
              <code>{pointer === '' ? '/' : pointer}</code> {detail}
            </Text>
          ))}
        </Alert>
      )}
      {revision.findings?.map((finding) => (
        <Text key={`${finding.kind} ${finding.id} ${finding.rule} ${finding.detail}`} size="sm">
          <SeverityBadge severity={finding.severity} /> {finding.id}: {finding.detail}
        </Text>
      ))}
    </Stack>
  );
}
