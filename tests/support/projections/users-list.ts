import { createUsersList } from '#projections/users/queries/list-users'

/** The list of users, without a read model of their clients. */
export const usersList = createUsersList(async () => new Map())
