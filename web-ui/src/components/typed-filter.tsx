import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useRef, useState } from 'react';

const TYPING_PAUSE_MILLIS = 250;
const QUICK_PAUSE_MILLIS = 80;

interface TypedFilterProps extends Pick<TextInputProps, 'type' | 'leftSection' | 'w'> {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** What is searched costs little: it is narrowed at once, and waits only for somebody who types fast. */
  readonly quick?: boolean;
}

/** Narrows a list by what is typed, once there is a pause. */
export function TypedFilter({ value, onChange, quick = false, ...input }: TypedFilterProps) {
  const [typed, setTyped] = useState(value ?? '');
  const [searched, setSearched] = useState(value);
  if (value !== searched) {
    setSearched(value);
    if (value === undefined) {
      // It was cleared elsewhere, such as by the link in the navigation.
      setTyped('');
    }
  }
  const search = (text: string) => onChange(text || undefined);
  const searchSoon = useDebouncedCallback(search, quick ? QUICK_PAUSE_MILLIS : TYPING_PAUSE_MILLIS);
  const lastTyped = useRef(-Infinity);
  return (
    <TextInput
      w={170}
      {...input}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        const text = event.currentTarget.value.trim();
        const paused = event.timeStamp - lastTyped.current >= QUICK_PAUSE_MILLIS;
        lastTyped.current = event.timeStamp;
        if (quick && paused) {
          searchSoon.cancel();
          search(text);
        } else {
          searchSoon(text);
        }
      }}
    />
  );
}
