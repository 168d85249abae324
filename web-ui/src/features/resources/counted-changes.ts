export function countedChanges(changes: number): string {
  return `${changes} ${changes === 1 ? 'change' : 'changes'}`;
}
