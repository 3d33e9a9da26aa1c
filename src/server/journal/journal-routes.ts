import { readJournal as readJournalCall } from '../../contract/journal.ts'
import { read } from '../http/binding.ts'
import { readJournal } from './read-journal.ts'

export const journalRoutes = [read(readJournalCall, readJournal)]
