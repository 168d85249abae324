import { Button, Group, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconTag, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import { useHeightVariable } from '@/components/use-height-variable';
import { counted } from '@/features/resources/bulk-actions';
import classes from '@/features/resources/resource-form.module.css';
import { kinds, type Kind } from '@/lib/kinds';
import { number, t } from '@/locales';

export type BulkType = 'enable' | 'disable' | 'delete' | 'label';

interface BulkBarProps {
  readonly kind: Kind;
  readonly count: number;
  /** How many a click would select; undefined when it would select no more. */
  readonly all: number | undefined;
  readonly onAll: () => void;
  readonly onClear: () => void;
  readonly onAct: (type: BulkType) => void;
}

/** What can be done with the rows that are selected. */
export function BulkBar({ kind, count, all, onAll, onClear, onAct }: BulkBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useHeightVariable(bar, '--sigma-actions-height');
  return (
    <div ref={bar} className={classes.actions} role="region" aria-label={t('Selected rows')}>
      <Group gap="xs">
        <Text size="sm" fw={550} role="status">
          {t('{what} selected', { what: counted(count, kind) })}
        </Text>
        {all !== undefined && (
          <Button size="compact-sm" variant="subtle" onClick={onAll}>
            {t('Select all {count}', { count: number(all) })}
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
          {t('Clear')}
        </Button>
      </Group>
      <Group gap="xs">
        {kinds[kind].switchable && (
          <>
            <Button
              variant="default"
              leftSection={<IconPlayerPlay size={16} />}
              onClick={() => onAct('enable')}
            >
              {t('Enable')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconPlayerPause size={16} />}
              onClick={() => onAct('disable')}
            >
              {t('Disable')}
            </Button>
          </>
        )}
        <Button variant="default" leftSection={<IconTag size={16} />} onClick={() => onAct('label')}>
          {t('Label…')}
        </Button>
        <Button
          variant="default"
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={() => onAct('delete')}
        >
          {t('Delete…')}
        </Button>
      </Group>
    </div>
  );
}
