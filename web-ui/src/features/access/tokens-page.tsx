import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiToken } from '#client';
import { ConfirmDialog } from '@/components/confirm-dialog';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { RowAction } from '@/components/row-action';
import { TableCard } from '@/components/table-card';
import { LastTime } from '@/components/time-ago';
import { TokenDialog } from '@/features/access/token-dialog';
import { listApiTokens, useDeleteApiToken } from '@/lib/api/api-tokens';
import { kindOf, kinds } from '@/lib/kinds';
import { roleNames } from '@/lib/roles';
import { whoOf } from '@/lib/who';
import { dateTime, t } from '@/locales';

export function TokensPage() {
  const query = useQuery(listApiTokens);
  const deletion = useDeleteApiToken();
  const [chosen, setChosen] = useState('');
  const [creating, { open: create, close: closeCreator }] = useDisclosure();
  const [asking, { open: ask, close: closeQuestion }] = useDisclosure();
  const button = (
    <Button leftSection={<IconPlus size={16} />} onClick={create}>
      {t('New token')}
    </Button>
  );
  const columns: readonly Column<ApiToken>[] = [
    { header: t('Token'), cell: ({ name }) => <Mono whole>{name}</Mono> },
    { header: t('Role'), cell: ({ role }) => roleNames[role] },
    { header: t('May change'), cell: scopeOf },
    {
      header: t('Expires'),
      cell: ({ expiresAt }) => (expiresAt === undefined ? t('never') : dateTime(expiresAt)),
    },
    { header: t('Last used'), cell: ({ lastUsedAt }) => <LastTime at={lastUsedAt} /> },
    { header: t('Created by'), cell: ({ createdBy }) => whoOf(createdBy) },
    {
      header: t('Actions'),
      width: 84,
      cell: ({ name }) => (
        <RowAction
          title={t('Revoke')}
          subject={name}
          icon={IconTrash}
          onClick={() => {
            setChosen(name);
            deletion.reset();
            ask();
          }}
        />
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title={t('API tokens')}
        subtitle={t('Scripts and pipelines send these as bearer tokens to the admin API.')}
        actions={button}
      />
      <TableCard
        query={query}
        columns={columns}
        rowKey={({ name }) => name}
        minWidth={760}
        empty={
          <EmptyState title={t('No token yet')} action={button}>
            {t('Each token has its own role, may expire, and can be revoked alone.')}
          </EmptyState>
        }
      />
      <TokenDialog opened={creating} onClose={closeCreator} />
      <ConfirmDialog
        title={t('Revoke token {name}?', { name: chosen })}
        action={t('Revoke')}
        opened={asking}
        onClose={closeQuestion}
        doing={deletion}
        onConfirm={() => deletion.mutate(chosen, { onSuccess: closeQuestion })}
      >
        {t('Sigma refuses the token from now on.')}
      </ConfirmDialog>
    </>
  );
}

function scopeOf({ role, kinds: only = [], labels = {} }: ApiToken): string {
  if (role === 'VIEWER') {
    return t('nothing');
  }
  const what =
    only.length === 0 ? t('everything') : only.map((kind) => kinds[kindOf(kind)].plural).join(', ');
  const marks = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return marks.length === 0 ? what : t('{what} labelled {labels}', { what, labels: marks.join(', ') });
}
