import { Button, Select } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import classes from '@/components/filters.module.css';
import { t } from '@/locales';

/** What narrows the list below. On phones the first one is there, and the others when they are asked for. */
export function Filters({ filter, children }: { readonly filter: object; readonly children: ReactNode }) {
  // What is in force is not hidden.
  const [open, setOpen] = useState(() => isFiltered(filter));
  return (
    <div role="search" className={classes.filters} data-open={open || undefined}>
      {children}
      <Button
        variant="default"
        className={classes.toggle}
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? t('Hide filters') : t('Filters')}
      </Button>
    </div>
  );
}

interface ChoiceFilterProps<T extends string> {
  readonly label: string;
  readonly values: readonly T[];
  /** What people call a value; itself by default. */
  readonly nameOf?: (value: T) => string;
  readonly value: T | undefined;
  readonly onChange: (value: T | undefined) => void;
  readonly searchable?: boolean;
  readonly w: number;
}

/** Narrows a list to one of some values. */
export function ChoiceFilter<T extends string>({
  label,
  values,
  nameOf = (value) => value,
  value,
  onChange,
  searchable = false,
  w,
}: ChoiceFilterProps<T>) {
  return (
    <Select
      label={label}
      placeholder={t('Any')}
      data={values.map((one) => ({ value: one, label: nameOf(one) }))}
      value={value ?? null}
      onChange={(chosen) => onChange(values.find((one) => one === chosen))}
      searchable={searchable}
      clearable
      w={w}
      maw="100%"
    />
  );
}

export function isFiltered(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** For a list of which nothing is left. */
export function ClearFilters({ onClear }: { readonly onClear: () => void }) {
  return (
    <Button variant="default" onClick={onClear}>
      {t('Clear the filters')}
    </Button>
  );
}
