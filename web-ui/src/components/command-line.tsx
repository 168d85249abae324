import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { t } from '@/locales';

/** A command, ready to be pasted. */
export function CommandLine({ children }: { children: string }) {
  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      <Code style={{ overflowWrap: 'anywhere' }}>{children}</Code>
      <CopyButton value={children}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('Copied') : t('Copy')}>
            <ActionIcon variant="subtle" color="gray" aria-label={t('Copy the command')} onClick={copy}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
