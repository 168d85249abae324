import { Badge, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { isDraft, valueAt, type DraftValue, type Path } from '@/components/form/draft';
import type { AnyRows } from '@/components/form/field-types';
import { FieldView } from '@/components/form/field-view';
import classes from '@/components/form/form.module.css';
import { useFormState } from '@/components/form/form-context';
import { pointerOf } from '@/lib/json-pointer';
import { t } from '@/locales';

interface RowMoreProps {
  readonly field: AnyRows;
  readonly line: readonly string[];
  /** Leads to the row. */
  readonly path: Path;
}

/** What of a row is needed less often: folded, but for errors in it, with how much of it is set. */
export function RowMore({ field, line, path }: RowMoreProps) {
  const { draft, errors, readOnly } = useFormState();
  const [opened, setOpened] = useState(false);
  const id = useId();
  const others = Object.entries(field.fields).filter(([key]) => !line.includes(key));
  const row = valueAt(draft, path);
  const set = others.filter(([key]) => isDraft(row) && isSet(row[key])).length;
  const wrong = [...errors.keys()].some((pointer) =>
    others.some(([key]) => `${pointer}/`.startsWith(`${pointerOf([...path, key])}/`)),
  );
  // Who may not change it can not press the button either.
  const open = opened || wrong || (readOnly && set > 0);

  return (
    <div className={classes.more}>
      <UnstyledButton
        className={classes.moreHead}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpened(!open)}
      >
        <IconChevronDown size={14} className={classes.chevron} data-open={open} aria-hidden />
        {t('More')}
        {set > 0 && (
          <Badge size="sm" variant="light" tt="none">
            {t('{number} set', { number: set })}
          </Badge>
        )}
      </UnstyledButton>
      <div id={id} hidden={!open} className={classes.moreBody}>
        {open &&
          others.map(([key, inner]) => (
            <div key={key} className={inner.type === 'switch' ? undefined : classes.moreWide}>
              <FieldView field={inner} schema={field.schema} path={[...path, key]} />
            </div>
          ))}
      </div>
    </div>
  );
}

function isSet(value: DraftValue): boolean {
  return (
    value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}
