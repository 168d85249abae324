import { Badge, Paper, SegmentedControl, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { isDraft, toDraft, type DraftValue } from '@/components/form/draft';
import { factsOf } from '@/components/form/field-facts';
import { isEmpty } from '@/components/form/field-errors';
import { FieldsGrid } from '@/components/form/fields-grid';
import type { AnyField, FormSpec, Section } from '@/components/form/field-types';
import classes from '@/components/form/form.module.css';
import { useFormState } from '@/components/form/form-context';
import { useNarrow } from '@/components/use-narrow';
import { stepsOf } from '@/lib/json-pointer';
import type { SchemaName } from '#contract';
import { t } from '@/locales';

interface SectionViewProps {
  readonly spec: FormSpec;
  readonly section: Section;
}

/** A group of fields that can be folded away; it opens itself while one of them has an error. */
export function SectionView({ spec, section }: SectionViewProps) {
  const { draft, errors, readOnly, change } = useFormState();
  const [unfolded, setUnfolded] = useState(section.collapsed !== true);
  const narrow = useNarrow();
  const bodyId = useId();
  const { alternatives } = section;
  const chosen = alternatives?.find(({ field }) => !isEmpty(draft[field]))?.field ?? alternatives?.[0]?.field;
  const [picked, setPicked] = useState(chosen);

  const count = section.fields.reduce(
    (sum, key) => sum + changedFields(spec.schema, key, spec.fields[key], draft[key]),
    0,
  );
  const wrong = [...errors.keys()].filter((pointer) =>
    section.fields.includes(stepsOf(pointer)[0] ?? ''),
  ).length;
  if (wrong > 0 && !unfolded) {
    // For good: it must not fold under the hands of the person who fixes the error.
    setUnfolded(true);
  }
  const open = unfolded;
  const shown =
    alternatives === undefined
      ? section.fields
      : section.fields.filter((key) => key === picked || !alternatives.some(({ field }) => field === key));

  // What was typed into an alternative, for who only had a look at another one.
  const aside = useRef<Record<string, DraftValue>>({});

  const pick = (next: string) => {
    for (const { field } of alternatives ?? []) {
      if (field !== next) {
        aside.current[field] = draft[field] ?? aside.current[field];
        change([field], undefined);
      }
    }
    const field = spec.fields[next];
    change([next], aside.current[next] ?? (field?.type === 'group' ? toDraft(field.fields, {}) : undefined));
    setPicked(next);
  };

  return (
    <Paper component="section" withBorder className={classes.section} aria-label={section.title}>
      <h2 className={classes.heading}>
        <UnstyledButton
          className={classes.sectionHead}
          aria-expanded={open}
          aria-controls={bodyId}
          onClick={() => setUnfolded(!open)}
        >
          <IconChevronDown size={16} className={classes.chevron} data-open={open} aria-hidden />
          <span className={classes.sectionTitle}>{section.title}</span>
          <Text span size="xs" c="dimmed" className={classes.sectionHint}>
            {section.hint}
          </Text>
          {wrong > 0 ? (
            <Badge color="red" variant="light" size="sm">
              {t('{number} to fix', { number: wrong })}
            </Badge>
          ) : (
            section.collapsed === true &&
            count > 0 && (
              <Badge variant="light" size="sm">
                {t('{number} set', { number: count })}
              </Badge>
            )
          )}
        </UnstyledButton>
      </h2>
      <div id={bodyId} hidden={!open} className={classes.sectionBody}>
        {open && (
          <fieldset disabled={readOnly} className={classes.plainSet}>
            {alternatives !== undefined && (
              <SegmentedControl
                aria-label={section.title}
                mb="md"
                orientation={narrow ? 'vertical' : 'horizontal'}
                fullWidth={narrow}
                data={alternatives.map(({ field, label }) => ({ value: field, label }))}
                value={picked}
                onChange={pick}
              />
            )}
            <FieldsGrid schema={spec.schema} shape={chosenShape(spec, picked)} path={[]} only={shown} />
          </fieldset>
        )}
      </div>
    </Paper>
  );
}

/** A group that was chosen among alternatives needs no switch of its own. */
function chosenShape(spec: FormSpec, picked: string | undefined): FormSpec['fields'] {
  const field = picked === undefined ? undefined : spec.fields[picked];
  return picked !== undefined && field?.type === 'group'
    ? { ...spec.fields, [picked]: { ...field, presence: 'always' } }
    : spec.fields;
}

/** How many values differ from what they would be if nobody had said anything. */
function changedFields(
  schema: SchemaName,
  key: string,
  field: AnyField | undefined,
  value: DraftValue,
): number {
  if (field === undefined || isEmpty(value)) {
    return 0;
  }
  if (field.type === 'group' && isDraft(value)) {
    const inner = Object.entries(field.fields).reduce(
      (sum, [name, part]) => sum + changedFields(field.schema, name, part, value[name]),
      0,
    );
    return field.presence === 'always' ? inner : 1;
  }
  return value === factsOf(schema, key).fallback ? 0 : 1;
}
