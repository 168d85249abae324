import { Button, Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OpenApiImportSummary } from '#client';
import { Mono } from '@/components/mono';
import { QueryView } from '@/components/query-view';
import { TableScroller } from '@/components/table-scroller';
import { RemoveImportDialog } from '@/features/import/remove-import-dialog';
import { listImports } from '@/lib/api/list-imports';
import { t } from '@/locales';

/** The APIs that were imported, each of which can be removed as a whole. */
export function ImportsCard({ mayChange }: { mayChange: boolean }) {
  const imports = useQuery(listImports);
  return (
    <Paper withBorder mt="md" role="region" aria-label={t('Imported APIs')}>
      <Title order={2} size="h4" p="md" pb={4}>
        {t('Imported APIs')}
      </Title>
      <QueryView query={imports}>{(items) => <Imports items={items} mayChange={mayChange} />}</QueryView>
    </Paper>
  );
}

interface ImportsProps {
  readonly items: readonly OpenApiImportSummary[];
  readonly mayChange: boolean;
}

function Imports({ items, mayChange }: ImportsProps) {
  const [asked, setAsked] = useState('');
  const [opened, setOpened] = useState(false);
  if (items.length === 0) {
    return (
      <Text size="sm" c="dimmed" px="md" pb="md">
        {t('Nothing was imported from an OpenAPI document.')}
      </Text>
    );
  }
  return (
    <>
      <TableScroller minWidth={480} label={t('Imported APIs')}>
        <Table verticalSpacing={6} horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Id')}</Table.Th>
              <Table.Th>{t('Name')}</Table.Th>
              <Table.Th w={110}>{t('Routes')}</Table.Th>
              {mayChange && <Table.Th w={110} aria-label={t('Actions')} />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map(({ id, name, routes }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Mono whole>{id}</Mono>
                </Table.Td>
                <Table.Td>{name}</Table.Td>
                <Table.Td>{routes}</Table.Td>
                {mayChange && (
                  <Table.Td>
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      color="red"
                      aria-label={t('Remove {id}', { id })}
                      onClick={() => {
                        setAsked(id);
                        setOpened(true);
                      }}
                    >
                      {t('Remove')}
                    </Button>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroller>
      <RemoveImportDialog id={asked} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
