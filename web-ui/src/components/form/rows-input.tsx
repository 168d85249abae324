import { ActionIcon, Button, Input } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { rowsOf, toDraft, valueAt } from '@/components/form/draft';
import { factsOf, helpOf } from '@/components/form/field-facts';
import type { AnyRows } from '@/components/form/field-types';
import { FieldView, type FieldProps } from '@/components/form/field-view';
import { RowMore } from '@/components/form/row-more';
import classes from '@/components/form/form.module.css';
import { useFormState, useLabels } from '@/components/form/form-context';
import { useNarrow } from '@/components/use-narrow';
import { pointerOf } from '@/lib/json-pointer';
import { t } from '@/locales';

/** A list of objects; there is always a row to fill in, unless there may be none. */
export function RowsInput({ field, schema, path }: FieldProps<AnyRows>) {
  const { draft, errors, change } = useFormState();
  const say = useLabels(schema);
  const narrow = useNarrow();
  const stored = rowsOf(valueAt(draft, path));
  const optional = field.optional === true;
  const empty = toDraft(field.fields, {});
  const rows = stored.length === 0 && !optional ? [empty] : stored;
  const error = errors.get(pointerOf(path));

  return (
    <fieldset className={classes.rows}>
      <legend className={classes.legend}>{field.label}</legend>
      <Input.Description>{helpOf(field, factsOf(schema, String(path.at(-1))), say)}</Input.Description>
      {rows.map((_, index) => (
        // Rows have no identity of their own, and every input is controlled.
        <div key={index} role="group" aria-label={`${field.row} ${index + 1}`} className={classes.row}>
          {Object.entries(field.fields)
            .filter(([key]) => field.line?.includes(key) ?? true)
            .map(([key, inner]) => (
              <div key={key} className={inner.wide === true ? classes.grow : classes.narrow}>
                <FieldView
                  field={inner}
                  schema={field.schema}
                  path={[...path, index, key]}
                  // Where fields stand one below the other, each has its label.
                  bare={index > 0 && !narrow}
                  inRow
                />
              </div>
            ))}
          <ActionIcon
            aria-label={t('Remove {what} {number}', { what: field.row, number: index + 1 })}
            variant="subtle"
            color="gray"
            disabled={rows.length === 1 && !optional}
            className={classes.removeRow}
            onClick={() =>
              change(
                path,
                rows.filter((__, at) => at !== index),
              )
            }
          >
            <IconX size={16} />
          </ActionIcon>
          {field.line !== undefined && <RowMore field={field} line={field.line} path={[...path, index]} />}
        </div>
      ))}
      {error !== undefined && (
        <Input.Error role="alert" tabIndex={-1} data-field-error>
          {error}
        </Input.Error>
      )}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => change(path, [...rows, empty])}
      >
        {t('Add {what}', { what: field.row })}
      </Button>
    </fieldset>
  );
}
