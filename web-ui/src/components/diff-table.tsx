import { Table, Text } from '@mantine/core';
import classes from '@/components/diff-table.module.css';
import { Mono } from '@/components/mono';
import { jsonDiff } from '@/lib/json-diff';

/** The fields in which two states of a resource differ. */
export function DiffTable({ before, after }: { before: unknown; after: unknown }) {
  const changes = jsonDiff(before, after);
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No difference.
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={480} type="native">
      <Table verticalSpacing={5} horizontalSpacing="sm" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="30%">Field</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.pointer}>
              <Table.Td>
                <Mono>{change.pointer}</Mono>
              </Table.Td>
              <Table.Td className={change.before === undefined ? undefined : classes.removed}>
                <Side json={change.before} />
              </Table.Td>
              <Table.Td className={change.after === undefined ? undefined : classes.added}>
                <Side json={change.after} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Side({ json }: { json: string | undefined }) {
  return json === undefined ? (
    <Text size="sm" c="dimmed">
      —
    </Text>
  ) : (
    <Mono>{json}</Mono>
  );
}
