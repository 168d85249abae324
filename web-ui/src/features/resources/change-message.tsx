import { TextInput } from '@mantine/core';
import classes from '@/features/resources/resource-form.module.css';
import { t } from '@/locales';

interface ChangeMessageProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Asks for the reason of a change, which the history shows. */
export function ChangeMessage({ value, onChange }: ChangeMessageProps) {
  return (
    <TextInput
      aria-label={t('Why this change')}
      placeholder={t('Why this change? (optional)')}
      value={value}
      maxLength={500}
      onChange={(event) => onChange(event.currentTarget.value)}
      className={classes.message}
    />
  );
}
