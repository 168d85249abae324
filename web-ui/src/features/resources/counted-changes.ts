import { many } from '@/locales';
export function countedChanges(changes: number): string {
  return many(changes, '{count} change', '{count} changes');
}
