import { notifications } from '@mantine/notifications';
import { kinds } from '@/lib/kinds';
import { stage, STAGED_MAX, stagedChanges, type StagedChange } from '@/lib/staged';
import { many, t } from '@/locales';

const SHOWN_MILLIS = 7_000;

/** Stages a change and says so. Returns whether there was room for it. */
export function stageChange(change: StagedChange): boolean {
  const what = { singular: kinds[change.kind].singular, id: change.id };
  return announced(
    stage(change),
    change.body === undefined
      ? t('Staged the deletion of {singular} {id}', what)
      : t('Staged {singular} {id}', what),
    t('The {singular} {id} was not staged', what),
  );
}

/** Stages all of the changes or none, and says so. Returns whether there was room for them. */
export function stageChanges(changes: readonly StagedChange[]): boolean {
  return announced(
    stage(...changes),
    many(changes.length, 'Staged {count} change', 'Staged {count} changes'),
    t('The changes were not staged'),
  );
}

function announced(done: boolean, title: string, refused: string): boolean {
  const { length } = stagedChanges();
  notifications.show({
    title: done ? title : refused,
    message: done
      ? many(
          length,
          '{count} change is staged. Publish it on the page Staged changes.',
          '{count} changes are staged. Publish them together on the page Staged changes.',
        )
      : t(
          'At most {most} changes, of one million characters, can be staged. Publish or discard some first.',
          { most: STAGED_MAX },
        ),
    color: done ? 'yellow' : 'red',
    autoClose: done ? SHOWN_MILLIS : false,
    closeButtonProps: { 'aria-label': t('Dismiss') },
  });
  return done;
}
