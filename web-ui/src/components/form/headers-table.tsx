import { ActionIcon, Button, Group, Input, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { pairsOf, tagsOf, valueAt, type Pair, type Path } from '@/components/form/draft';
import classes from '@/components/form/headers-table.module.css';
import formClasses from '@/components/form/form.module.css';
import { useFormState } from '@/components/form/form-context';
import { pointerOf } from '@/lib/json-pointer';
import { t } from '@/locales';

/** In the order in which a gateway applies them. */
const actions = [
  { list: 'remove', label: t('Remove'), button: t('Remove a header'), value: undefined },
  { list: 'rename', label: t('Rename'), button: t('Rename a header'), value: t('New name') },
  { list: 'set', label: t('Set'), button: t('Set a header'), value: t('Value') },
  { list: 'add', label: t('Add'), button: t('Add a header'), value: t('Value') },
] as const;
type Action = (typeof actions)[number];

interface HeadersTableProps {
  /** What the headers are of: "Request headers". */
  readonly label: string;
  readonly path: Path;
}

/** What is done with headers, in one table: a line for each header, in the order in which it is done. */
export function HeadersTable({ label, path }: HeadersTableProps) {
  const { draft, errors, change, readOnly } = useFormState();
  const rowsOf = ({ list }: Action): readonly Pair[] => {
    const value = valueAt(draft, [...path, list]);
    return list === 'remove' ? tagsOf(value).map((key) => ({ key, value: '' })) : pairsOf(value);
  };
  const put = ({ list }: Action, rows: readonly Pair[]) =>
    change([...path, list], list === 'remove' ? rows.map(({ key }) => key) : rows.map((row) => ({ ...row })));
  const lines = actions.flatMap((action) =>
    rowsOf(action).map((row, index) => ({ action, row, index, rows: rowsOf(action) })),
  );
  const edit = ({ action, index, rows }: (typeof lines)[number], part: Partial<Pair>) =>
    put(
      action,
      rows.map((row, at) => (at === index ? { ...row, ...part } : row)),
    );
  return (
    <div>
      {lines.length > 0 && (
        <table className={classes.table} aria-label={label}>
          <thead>
            <tr>
              <th>{t('Action')}</th>
              <th>{t('Header')}</th>
              <th>{t('Value or new name')}</th>
              <th>
                <span className={formClasses.hidden}>{t('Remove')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, at) => {
              const { action, row, index, rows } = line;
              const pointer = pointerOf([...path, action.list, index]);
              return (
                // Rows have no identity of their own, and every input is controlled.
                <tr key={`${action.list} ${index}`}>
                  <td className={classes.action}>{action.label}</td>
                  <td className={classes.name}>
                    <TextInput
                      aria-label={t('Header {number}', { number: at + 1 })}
                      placeholder={t('Header')}
                      value={row.key}
                      error={errors.get(pointer)}
                      classNames={{ input: formClasses.mono }}
                      autoComplete="off"
                      spellCheck={false}
                      onChange={(event) => edit(line, { key: event.currentTarget.value })}
                    />
                  </td>
                  <td className={action.value === undefined ? classes.empty : classes.value}>
                    {action.value !== undefined && (
                      <TextInput
                        aria-label={`${action.value} ${at + 1}`}
                        placeholder={action.value}
                        value={row.value}
                        classNames={{ input: formClasses.mono }}
                        autoComplete="off"
                        spellCheck={false}
                        onChange={(event) => edit(line, { value: event.currentTarget.value })}
                      />
                    )}
                  </td>
                  <td>
                    <ActionIcon
                      aria-label={t('Remove line {number}', { number: at + 1 })}
                      variant="subtle"
                      color="gray"
                      onClick={() =>
                        put(
                          action,
                          rows.filter((_, one) => one !== index),
                        )
                      }
                    >
                      <IconX size={16} />
                    </ActionIcon>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {actions.map((action) => {
        const error = errors.get(pointerOf([...path, action.list]));
        return (
          error !== undefined && (
            <Input.Error key={action.list} role="alert" tabIndex={-1} data-field-error>
              {t('{place}:', { place: action.label })} {error}
            </Input.Error>
          )
        );
      })}
      {!readOnly && (
        <Group gap="xs">
          {actions.map((action) => (
            <Button
              key={action.list}
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={14} />}
              onClick={() => put(action, [...rowsOf(action), { key: '', value: '' }])}
            >
              {action.button}
            </Button>
          ))}
        </Group>
      )}
    </div>
  );
}
