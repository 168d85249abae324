import { Badge, Button, Group, Paper, Stack, Table, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { labelOf } from '@/components/form/label-of';
import classes from '@/components/merge/merge-panel.module.css';
import { Mono } from '@/components/mono';
import { TableScroller } from '@/components/table-scroller';
import {
  isSame,
  mergeJson,
  type MergeConflict,
  type MergedChange,
  type MergePath,
  type Side,
} from '@/lib/json-merge';
import { many, rich, t } from '@/locales';

const CHANGES_SHOWN_MAX = 50;

interface MergePanelProps {
  /** What both sides started from. */
  readonly base: object;
  readonly mine: object;
  readonly theirs: object;
  readonly action?: string;
  readonly onSave: (merged: object) => void;
  /** Goes on with the merge in the editor, where there is one. */
  readonly onEdit?: (merged: object) => void;
}

/**
 * Merges two changes of one resource: what only one side changed is taken, and the person chooses field by field where both
 * changed the same. Give it another key when one of the three changes.
 */
export function MergePanel({
  base,
  mine,
  theirs,
  action = t('Save the merge'),
  onSave,
  onEdit,
}: MergePanelProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map());
  const { value, conflicts, changes } = mergeJson(base, mine, theirs, chosen);
  const open = conflicts.filter(({ key }) => !chosen.has(key)).length;
  const choose = (keys: readonly string[], side: Side) =>
    setChosen(new Map([...chosen, ...keys.map((key) => [key, side] as const)]));
  const merged = value as object;
  const empty = open === 0 && isSame(merged, theirs);
  return (
    <Paper withBorder p="sm" role="group" aria-label={t('Merge of both changes')}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Text size="sm">{summaryOf(conflicts.length, changes.length)}</Text>
          {conflicts.length > 1 && (
            <Group gap="xs">
              {(['mine', 'theirs'] as const).map((side) => (
                <Button
                  key={side}
                  size="compact-xs"
                  variant="subtle"
                  onClick={() =>
                    choose(
                      conflicts.map(({ key }) => key),
                      side,
                    )
                  }
                >
                  {t(side === 'mine' ? 'Choose mine for all' : 'Choose theirs for all')}
                </Button>
              ))}
            </Group>
          )}
        </Group>
        {conflicts.map((conflict) => (
          <Conflict
            key={conflict.key}
            conflict={conflict}
            side={chosen.get(conflict.key)}
            onSide={(side) => choose([conflict.key], side)}
          />
        ))}
        {changes.length > 0 && <Changes changes={changes} />}
        <Group gap="xs">
          <Button size="compact-sm" disabled={open > 0 || empty} onClick={() => onSave(merged)}>
            {action}
          </Button>
          {onEdit !== undefined && (
            <Button size="compact-sm" variant="default" disabled={open > 0} onClick={() => onEdit(merged)}>
              {t('Continue with the merge')}
            </Button>
          )}
          <Text size="sm" role="status">
            {open > 0
              ? many(open, 'Choose a side for {count} more field.', 'Choose a side for {count} more fields.')
              : empty
                ? t('The merge equals their version: nothing of yours is left to save.')
                : ''}
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}

function summaryOf(conflicts: number, changes: number): string {
  if (conflicts === 0) {
    return t('Your changes and theirs do not touch the same field, so both are taken.');
  }
  const both = many(conflicts, 'Both of you changed one field.', 'Both of you changed {count} fields.');
  const merged = many(changes, '{count} other change is merged.', '{count} other changes are merged.');
  return changes === 0 ? both : `${both} ${merged}`;
}

interface ConflictProps {
  readonly conflict: MergeConflict;
  readonly side: Side | undefined;
  readonly onSide: (side: Side) => void;
}

function Conflict({ conflict, side, onSide }: ConflictProps) {
  const name = useId();
  return (
    <fieldset className={classes.conflict}>
      <Text component="legend" size="sm" fw={600}>
        {pathText(conflict.path)}
      </Text>
      <Text size="xs" c="dimmed">
        {rich('Before: {value}', { value: <Mono>{textOf(conflict.base)}</Mono> })}
      </Text>
      <div className={classes.sides}>
        {(['mine', 'theirs'] as const).map((one) => (
          <label key={one} className={classes.side}>
            <Group gap={6} component="span" wrap="nowrap">
              <input type="radio" name={name} checked={side === one} onChange={() => onSide(one)} />
              <Text size="sm" fw={550} span>
                {who[one]}
              </Text>
            </Group>
            <span className={classes.value}>{textOf(conflict[one])}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const who = { mine: t('Mine'), theirs: t('Theirs'), both: t('Both') } as const;

function Changes({ changes }: { readonly changes: readonly MergedChange[] }) {
  const shown = changes.slice(0, CHANGES_SHOWN_MAX);
  return (
    <>
      <TableScroller minWidth={480} label={t('Merged changes')}>
        <Table verticalSpacing={5} horizontalSpacing="sm" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="26%">{t('Field')}</Table.Th>
              <Table.Th w="6rem">{t('From')}</Table.Th>
              <Table.Th>{t('Before')}</Table.Th>
              <Table.Th>{t('Merged')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ path, by, before, after }) => (
              <Table.Tr key={path.join('/')}>
                <Table.Td>{pathText(path)}</Table.Td>
                <Table.Td>
                  <Badge variant="light" tt="none" color={by === 'theirs' ? 'grape' : 'sigma'}>
                    {who[by]}
                  </Badge>
                </Table.Td>
                <Table.Td>
                  <Mono>{textOf(before)}</Mono>
                </Table.Td>
                <Table.Td>
                  <Mono>{textOf(after)}</Mono>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroller>
      {shown.length < changes.length && (
        <Text size="sm" c="dimmed">
          {t('and {number} more', { number: changes.length - shown.length })}
        </Text>
      )}
    </>
  );
}

/** Names of fields in words; what identifies an item as it is. */
function pathText(path: MergePath): string {
  return path.map((step) => (/^[a-z][A-Za-z0-9]*$/.test(step) ? labelOf(step) : step)).join(' › ');
}

function textOf(value: unknown): string {
  return value === undefined ? '—' : JSON.stringify(value, null, 2);
}
