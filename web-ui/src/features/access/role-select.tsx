import { Select } from '@mantine/core';
import type { Role } from '#client';
import { roleFrom, roleMeanings, roleOptions } from '@/lib/roles';
import { t } from '@/locales';

interface RoleSelectProps {
  readonly role: Role;
  readonly onRole: (role: Role) => void;
}

/** Chooses what somebody may do, and says what that is. */
export function RoleSelect({ role, onRole }: RoleSelectProps) {
  return (
    <Select
      label={t('Role')}
      description={roleMeanings[role]}
      data={roleOptions}
      value={role}
      onChange={(value) => onRole(roleFrom(value))}
      allowDeselect={false}
    />
  );
}
