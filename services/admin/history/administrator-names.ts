/** The names of administrators, by their ids. An id of the shared password has none. */
export type AdministratorNames = ReadonlyMap<string, string>
