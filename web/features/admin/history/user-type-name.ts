import type { AdminUser } from '#contracts/admin/users'
import { userTypes } from '../tabs/user-types.ts'

/** `Paying Customer` */
export const userTypeName = (user: AdminUser) =>
  userTypes.find(({ type }) => type === user.user_type)?.one
