import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { pairsOf, valueAt, type Pair } from '@/components/form/draft';
import { factsOf, helpOf } from '@/components/form/field-facts';
import type { PairsField } from '@/components/form/field-types';
import type { FieldProps } from '@/components/form/field-view';
import classes from '@/components/form/form.module.css';
import { useFormState, useLabels } from '@/components/form/form-context';
import { pointerOf } from '@/lib/json-pointer';
import { t } from '@/locales';

/** A map of texts, as rows of key and value. */
export function PairsInput({ field, schema, path }: FieldProps<PairsField>) {
  const { draft, errors, change } = useFormState();
  const say = useLabels(schema);
  const rows = pairsOf(valueAt(draft, path));
  const set = (next: readonly Pair[]) =>
    change(
      path,
      next.map((pair) => ({ ...pair })),
    );
  const edit = (index: number, part: Partial<Pair>) =>
    set(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));

  return (
    <fieldset className={classes.rows}>
      <legend className={classes.legend}>{field.label}</legend>
      <Input.Description>{helpOf(field, factsOf(schema, String(path.at(-1))), say)}</Input.Description>
      {rows.map((row, index) => (
        // Rows have no identity of their own, and every input is controlled.
        <div key={index} className={classes.pair}>
          <TextInput
            aria-label={`${field.keyLabel} ${index + 1}`}
            placeholder={field.keyLabel}
            value={row.key}
            error={errors.get(pointerOf([...path, index]))}
            classNames={{ input: classes.mono }}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => edit(index, { key: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`${field.valueLabel} ${index + 1}`}
            placeholder={field.valueLabel}
            value={row.value}
            classNames={{ input: classes.mono }}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => edit(index, { value: event.currentTarget.value })}
          />
          <ActionIcon
            aria-label={t('Remove {what} {number}', { what: field.row, number: index + 1 })}
            variant="subtle"
            color="gray"
            onClick={() => set(rows.filter((_, at) => at !== index))}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      {errors.get(pointerOf(path)) !== undefined && <Input.Error>{errors.get(pointerOf(path))}</Input.Error>}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => set([...rows, { key: '', value: '' }])}
      >
        {t('Add {what}', { what: field.row })}
      </Button>
    </fieldset>
  );
}
