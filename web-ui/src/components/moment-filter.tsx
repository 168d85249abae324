import { TextInput } from '@mantine/core';

interface MomentFilterProps {
  readonly label: string;
  /** As ISO 8601. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Narrows a list to what came after or before a time, which is that of the clock on the wall. */
export function MomentFilter({ label, value, onChange }: MomentFilterProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value === undefined ? '' : localOf(new Date(value))}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? undefined : new Date(currentTarget.value).toISOString())
      }
      w={210}
      maw="100%"
    />
  );
}

/** Returns the time to the minute, as the browser's input takes it. */
function localOf(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}
