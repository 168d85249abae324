import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Role } from '#client';
import { EmptyState } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
import { roleNames } from '@/lib/roles';
import { useHasRole, useSession } from '@/lib/session';
import { t } from '@/locales';

interface RoleGateProps {
  readonly least: Role;
  readonly children: ReactNode;
}

/** For a page that only some may see: what is refused is in the audit log, so it is not asked for. */
export function RoleGate({ least, children }: RoleGateProps) {
  const { account } = useSession();
  const allowed = useHasRole(least);
  if (account === undefined || !allowed) {
    return (
      <Paper withBorder>
        <QueryView query={{ data: account, error: null, refetch: () => undefined }}>
          {({ role }) => (
            <EmptyState title={t('Not for the role {role}', { role: roleNames[role].toLowerCase() })}>
              {t('This page needs the role {role}. Ask a user with that role.', {
                role: roleNames[least].toLowerCase(),
              })}
            </EmptyState>
          )}
        </QueryView>
      </Paper>
    );
  }
  return children;
}
