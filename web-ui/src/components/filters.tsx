import { Button, Group, Select } from '@mantine/core';
import type { ReactNode } from 'react';

/** What narrows the list below. */
export function Filters({ children }: { readonly children: ReactNode }) {
  return (
    <Group role="search" mb="md" align="flex-end" gap="sm">
      {children}
    </Group>
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
      placeholder="Any"
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
      Clear the filters
    </Button>
  );
}
