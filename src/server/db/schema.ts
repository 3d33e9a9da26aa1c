import type { AccountTables } from './schema/accounts.ts'
import type { CatalogueTables } from './schema/catalogue.ts'
import type { LibraryTables } from './schema/library.ts'
import type { LoanTables } from './schema/loans.ts'
import type { MailTables } from './schema/mail.ts'
import type { ReaderTables } from './schema/readers.ts'
import type { WorkTables } from './schema/work.ts'

/** The tables as TypeScript, by subject. */
export type Database = LibraryTables &
  AccountTables &
  CatalogueTables &
  ReaderTables &
  LoanTables &
  WorkTables &
  MailTables
