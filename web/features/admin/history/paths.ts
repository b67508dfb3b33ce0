/** The page with the Users tab. */
export const usersPath = '/admin/dashboard'

export const historyPath = (userId: string) => `/admin/users/${encodeURIComponent(userId)}/history`
