import { expect, it } from 'vitest';
import { auditDetail } from '@/features/audit/audit-detail';

it.each([
  [
    'operations-failed: /operations/0/body/routerId /operations/4',
    'Operations cannot be done: Change 1 › Router id, Change 5',
  ],
  ['invalid: /nodes/0/url', 'Invalid values: Nodes › 1 › URL'],
  [
    'invalid: /routes/a/path /routes/b/path /routes/c/path /routes/d/path',
    'Invalid values: Route a › Path, Route b › Path, Route c › Path and 1 more',
  ],
  ['forbidden: role: VIEWER of anna (expected: EDITOR)', 'Not allowed: Your role is not allowed to do this.'],
  ['3 refusals before are left out; id-taken', '3 refusals before this one have no record. Id is taken'],
  ['upgraded from 3 to 4', 'upgraded from 3 to 4'],
  ['constructor', 'constructor'],
])('words the detail of a record: %s', (detail, words) => {
  expect(auditDetail(detail)).toBe(words);
});
