import { JsonInput, NumberInput, Select, Switch, TagsInput, TextInput, Textarea } from '@mantine/core';
import type { SchemaName } from '#contract';
import { tagsOf, textOf, valueAt, type DraftValue, type Path } from '@/components/form/draft';
import { factsOf, helpOf } from '@/components/form/field-facts';
import type { AnyField, TagsField } from '@/components/form/field-types';
import classes from '@/components/form/form.module.css';
import { useFormState, useLabels } from '@/components/form/form-context';
import { GeneratedInput } from '@/components/form/generated-input';
import { GroupsInput } from '@/components/form/groups-input';
import { GroupView } from '@/components/form/group-view';
import { PairsInput } from '@/components/form/pairs-input';
import { PemInput } from '@/components/form/pem-input';
import { ReferenceInput } from '@/components/form/reference-input';
import { ReferencesInput } from '@/components/form/references-input';
import { RowsInput } from '@/components/form/rows-input';
import { pointerOf } from '@/lib/json-pointer';
import { kinds, withArticle } from '@/lib/kinds';
import { t } from '@/locales';

export interface FieldProps<F extends AnyField> {
  /** In a row below the first one: the label is there, but not seen again. */
  readonly bare?: boolean;
  /** Stands on one line with others. */
  readonly inRow?: boolean;
  readonly field: F;
  readonly schema: SchemaName;
  readonly path: Path;
}

/** One field of any type, with its label, help, default and error. */
export function FieldView({ field, schema, path, bare, inRow }: FieldProps<AnyField>) {
  const { draft, errors, creating, change } = useFormState();
  const say = useLabels(schema);
  const facts = factsOf(schema, String(path.at(-1)));
  const value = valueAt(draft, path);
  const set = (next: DraftValue) => change(path, next);
  const common = {
    ...(bare === true ? { 'aria-label': field.label } : { label: field.label }),
    description: helpOf(field, facts, say),
    error: errors.get(pointerOf(path)),
    withAsterisk: facts.required,
  };
  const fallback = facts.fallback === undefined ? undefined : String(facts.fallback);

  switch (field.type) {
    case 'text': {
      if (field.pem !== undefined) {
        return <PemInput {...common} part={field.pem} />;
      }
      if (field.generated !== undefined) {
        return (
          <GeneratedInput
            {...common}
            what={field.generated}
            value={textOf(value)}
            classNames={{ input: classes.mono }}
            onValue={(next) => set(next === '' ? undefined : next)}
          />
        );
      }
      const monoInput = field.mono === true ? { input: classes.mono } : {};
      const fixed = field.fixedAfterCreate === true && !creating;
      const props = {
        ...common,
        value: textOf(value),
        placeholder: fallback ?? field.placeholder,
        readOnly: fixed,
        variant: fixed ? 'filled' : 'default',
        spellCheck: field.mono !== true,
        autoComplete: 'off',
        onChange: (event: { currentTarget: { value: string } }) =>
          set(event.currentTarget.value === '' ? undefined : event.currentTarget.value),
      };
      return field.multiline === true ? (
        <Textarea {...props} classNames={monoInput} autosize minRows={2} maxRows={8} />
      ) : (
        <TextInput {...props} classNames={monoInput} />
      );
    }
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : textOf(value)}
          placeholder={fallback}
          allowDecimal={false}
          thousandSeparator={field.unit === undefined ? undefined : ','}
          clampBehavior="none"
          hideControls={field.unit !== undefined}
          rightSection={
            field.unit === undefined ? undefined : (
              <span className={classes.unit}>{unitName(field.unit)}</span>
            )
          }
          rightSectionWidth={field.unit === 'bytes' ? 52 : undefined}
          onChange={(next) => set(next === '' ? undefined : next)}
        />
      );
    case 'switch':
      return (
        <Switch
          label={field.label}
          description={common.description}
          error={common.error}
          checked={typeof value === 'boolean' ? value : facts.fallback === true}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      );
    case 'choice': {
      const options: readonly { value: string | number | boolean; label: string }[] = field.options;
      return (
        <Select
          {...common}
          data={options.map((option) => ({ value: String(option.value), label: option.label }))}
          value={isScalar(value) ? String(value) : (fallback ?? null)}
          allowDeselect={false}
          clearable={field.optional === true}
          clearButtonProps={{ 'aria-label': t('Clear {label}', { label: field.label }) }}
          onChange={(next) => set(options.find((option) => String(option.value) === next)?.value)}
        />
      );
    }
    case 'reference':
      return (
        <ReferenceInput
          {...common}
          hideLink={inRow === true}
          placeholder={t('Choose {kind}', { kind: withArticle(kinds[field.kind].singular) })}
          kind={field.kind}
          value={textOf(value)}
          onChange={set}
        />
      );
    case 'tags': {
      if (field.of !== undefined) {
        return <ReferencesInput {...common} kind={field.of} value={tagsOf(value)} onChange={set} />;
      }
      const Input = field.groups === true ? GroupsInput : TagsInput;
      return (
        <Input
          {...common}
          value={[...tagsOf(value)]}
          data={field.suggestions === undefined ? [] : [...field.suggestions]}
          placeholder={tagsOf(value).length === 0 ? field.placeholder : undefined}
          acceptValueOnBlur
          splitChars={splitCharsOf(field)}
          onPaste={(event) => {
            const lines = linesOf(event.clipboardData.getData('text'));
            if (lines.length > 1) {
              // An input would join them to one.
              event.preventDefault();
              set([...new Set([...tagsOf(value), ...lines])]);
            }
          }}
          classNames={{ pill: classes.mono }}
          onChange={set}
        />
      );
    }
    case 'json':
      return (
        <JsonInput
          {...common}
          value={textOf(value)}
          placeholder={field.placeholder ?? '{ }'}
          validationError={t('This is not JSON')}
          formatOnBlur
          autosize
          minRows={3}
          maxRows={16}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: classes.mono }}
          onChange={set}
        />
      );
    case 'pairs':
      return <PairsInput field={field} schema={schema} path={path} />;
    case 'rows':
      return <RowsInput field={field} schema={schema} path={path} />;
    case 'group':
      return <GroupView field={field} schema={schema} path={path} />;
  }
}

function unitName(unit: 'ms' | 's' | 'bytes'): string {
  return unit === 'bytes' ? t('bytes') : unit;
}

/** At what a person ends a value by typing it. A comma may be part of most values. */
function splitCharsOf({ numeric, withoutCommas }: TagsField): string[] {
  return numeric === true || withoutCommas === true ? [',', ' '] : [];
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function isScalar(value: DraftValue): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
