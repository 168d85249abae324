import { ActionIcon, CopyButton, Group, TextInput, Tooltip, type TextInputProps } from '@mantine/core';
import { IconCheck, IconCopy, IconSparkles } from '@tabler/icons-react';
import { randomHex } from '@/lib/random-hex';
import { t } from '@/locales';

/** As many as a guess can not reach: 256 bits. */
const BYTES = 32;

interface GeneratedInputProps extends Omit<TextInputProps, 'onChange' | 'value'> {
  /** What is generated: "key". */
  readonly what: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** A secret that one types, or has made. It can be copied until it is stored; afterwards nobody can read it. */
export function GeneratedInput({ what, value, onValue, ...input }: GeneratedInputProps) {
  return (
    <TextInput
      {...input}
      value={value}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onValue(event.currentTarget.value)}
      rightSectionWidth={value === '' ? 36 : 64}
      rightSection={
        <Group gap={2} wrap="nowrap">
          {value !== '' && (
            <CopyButton value={value}>
              {({ copied, copy }) => (
                <Tooltip
                  label={copied ? t('Copied') : t('Copy the {what} now: it is not shown again', { what })}
                >
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('Copy the {what}', { what })}
                    onClick={copy}
                  >
                    {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                  </ActionIcon>
                </Tooltip>
              )}
            </CopyButton>
          )}
          <Tooltip label={t('Generate a random {what}', { what })}>
            <ActionIcon
              variant="subtle"
              aria-label={t('Generate a {what}', { what })}
              onClick={() => onValue(randomHex(BYTES))}
            >
              <IconSparkles size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      }
    />
  );
}
