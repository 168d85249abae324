import { notifications } from '@mantine/notifications';
import { kinds } from '@/lib/kinds';
import { stage, STAGED_MAX, stagedChanges, type StagedChange } from '@/lib/staged';

const SHOWN_MILLIS = 7_000;

/** Stages a change and says so. Returns whether there was room for it. */
export function stageChange(change: StagedChange): boolean {
  const done = stage(change);
  const { length } = stagedChanges();
  const what = `${kinds[change.kind].singular} ${change.id}`;
  notifications.show({
    title: done
      ? `Staged ${change.body === undefined ? `the deletion of ${what}` : what}`
      : `The ${what} was not staged`,
    message: done
      ? `${length} ${length === 1 ? 'change is' : 'changes are'} staged. Publish them together on the page Staged changes.`
      : `At most ${STAGED_MAX} changes, of one million characters, can be staged. Publish or discard some first.`,
    color: done ? 'yellow' : 'red',
    autoClose: done ? SHOWN_MILLIS : false,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
  return done;
}
