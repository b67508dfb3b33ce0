import { sortOrders } from '#projections/listing/sort-order'
import type { ComputedColumns } from './computed-columns.ts'
import type { User } from './user.ts'

/** The orders by the columns of the table `users`. */
export const orders = sortOrders<User & ComputedColumns>('user_id', ['search_text'])
