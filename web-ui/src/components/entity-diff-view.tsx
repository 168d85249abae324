import { Badge, Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChangeAction, Kind as ContractKind } from '#client';
import { FieldChanges } from '@/components/diff-table';
import { Mono } from '@/components/mono';
import { ResourceLink } from '@/components/resource-link';
import type { FieldChange } from '@/lib/json-diff';
import { capitalized, kindOf, kinds } from '@/lib/kinds';
import { t } from '@/locales';

const actions = {
  CREATE: { done: t('Created'), todo: t('Create'), color: 'green' },
  UPDATE: { done: t('Changed'), todo: t('Change'), color: 'sigma' },
  DELETE: { done: t('Deleted'), todo: t('Delete'), color: 'red' },
} as const satisfies Record<ChangeAction, unknown>;

export interface EntityChange {
  readonly kind: ContractKind;
  readonly id: string;
  readonly action: ChangeAction;
  readonly fields: readonly FieldChange[];
}

interface EntityDiffViewProps {
  readonly change: EntityChange;
  /** It has not happened yet. */
  readonly planned?: boolean;
  readonly aside?: ReactNode;
}

/** What becomes of one resource, field by field. */
export function EntityDiffView({ change, planned = false, aside }: EntityDiffViewProps) {
  const kind = kindOf(change.kind);
  const { done, todo, color } = actions[change.action];
  return (
    <Paper withBorder component="section" p="md" aria-label={`${kinds[kind].singular} ${change.id}`}>
      <Group gap="xs" mb="xs">
        <Badge color={color} variant="light" tt="none">
          {planned ? todo : done}
        </Badge>
        <Title order={2} size="sm" fw={550}>
          {capitalized(kinds[kind].singular)}
        </Title>
        {planned || change.action === 'DELETE' ? (
          <Mono>{change.id}</Mono>
        ) : (
          <ResourceLink kind={kind} id={change.id} />
        )}
        <div style={{ marginLeft: 'auto' }}>{aside}</div>
      </Group>
      {/* Of a deletion nothing is left to compare. */}
      {(change.action !== 'DELETE' || change.fields.length > 0) && <FieldChanges changes={change.fields} />}
    </Paper>
  );
}
