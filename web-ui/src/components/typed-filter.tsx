import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

const TYPING_PAUSE_MILLIS = 250;

interface TypedFilterProps extends Pick<TextInputProps, 'type' | 'leftSection' | 'w'> {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Narrows a list by what is typed, once there is a pause. */
export function TypedFilter({ value, onChange, ...input }: TypedFilterProps) {
  const [typed, setTyped] = useState(value ?? '');
  const [searched, setSearched] = useState(value);
  if (value !== searched) {
    setSearched(value);
    if (value === undefined) {
      // It was cleared elsewhere, such as by the link in the navigation.
      setTyped('');
    }
  }
  const search = useDebouncedCallback((text: string) => onChange(text || undefined), TYPING_PAUSE_MILLIS);
  return (
    <TextInput
      w={170}
      {...input}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        search(event.currentTarget.value.trim());
      }}
    />
  );
}
