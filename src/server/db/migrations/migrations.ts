import type { Migration } from 'kysely'

import * as circulation from './0001-circulation.ts'
import * as settlements from './0002-settlements.ts'
import * as devices from './0003-devices.ts'
import * as journalTransactions from './0004-journal-transactions.ts'
import * as loanTallies from './0005-loan-tallies.ts'
import * as deviceNames from './0006-device-names.ts'
import * as devicesOfSessions from './0007-devices-of-sessions.ts'
import * as keySites from './0008-key-sites.ts'
import * as ordersOfLists from './0010-orders-of-lists.ts'
import * as mailSites from './0011-mail-sites.ts'
import * as reasonsOfLoans from './0012-reasons-of-loans.ts'
import * as keywords from './0013-keywords.ts'
import * as fewerRoundTrips from './0014-fewer-round-trips.ts'
import * as userFilters from './0015-user-filters.ts'
import * as jobs from './0016-jobs.ts'
import * as remindedLoans from './0017-reminded-loans.ts'
import * as views from './0018-views.ts'
import * as namesOfViews from './0019-names-of-views.ts'
import * as newKeys from './0020-new-keys.ts'
import * as whatReportsNeed from './0021-what-reports-need.ts'
import * as rulesAndPlaces from './0022-rules-and-places.ts'
import * as usersAndProfiles from './0023-users-and-profiles.ts'
import * as lookedUpCodes from './0025-looked-up-codes.ts'
import * as readers from './0026-readers.ts'
import * as codedFields from './0027-coded-fields.ts'
import * as start from './0028-start.ts'
import * as referenceImages from './0029-reference-images.ts'
import * as secondFactor from './0030-second-factor.ts'
import * as foundImages from './0035-found-images.ts'
import * as conditionsAndPreset from './0036-conditions-and-preset.ts'
import * as acts from './0037-acts.ts'
import * as imports from './0038-imports.ts'
import * as conditionsOfLoans from './0039-conditions-of-loans.ts'
import * as labels from './0040-labels.ts'
import * as inventories from './0041-inventories.ts'
import * as leaving from './0042-leaving.ts'
import * as reservations from './0043-reservations.ts'
import * as openDays from './0044-open-days.ts'
import * as sales from './0045-sales.ts'
import * as mails from './0046-mails.ts'
import * as conditionsByVersion from './0047-conditions-by-version.ts'
import * as houseWords from './0048-house-words.ts'
import * as weeding from './0049-weeding.ts'
import * as forgetting from './0050-forgetting.ts'
import * as weeklyHours from './0052-weekly-hours.ts'
import * as lastActive from './0053-last-active.ts'
import * as suspendedForgetting from './0054-suspended-forgetting.ts'
import * as scannedIntoCart from './0055-scanned-into-cart.ts'
import * as nobodyInCopies from './0056-nobody-in-copies.ts'
import * as talliesOfFigures from './0059-tallies-of-figures.ts'
import * as plannedInDryRuns from './0060-planned-in-dry-runs.ts'
import * as pastOfNumbers from './0061-past-of-numbers.ts'
import * as largeLibraries from './0062-large-libraries.ts'
import * as locksOfOneLibrary from './0065-locks-of-one-library.ts'
import * as keysOfOneLibrary from './0066-keys-of-one-library.ts'
import * as matriculesPassed from './0067-matricules-passed.ts'
import * as whatKeptAnswersTell from './0068-what-kept-answers-tell.ts'
import * as noWaitBeforeTheForm from './0069-no-wait-before-the-form.ts'
import * as mailsWritten from './0070-mails-written.ts'
import * as whatImportsTell from './0072-what-imports-tell.ts'
import * as rightsOfOnePerson from './0073-rights-of-one-person.ts'
import * as noBalanceFromFiles from './0074-no-balance-from-files.ts'
import * as mostRenewals from './0075-most-renewals.ts'
import * as cardsAlike from './0076-cards-alike.ts'

/** Applied in the order of their names; never edit one that has shipped. Numbers that are missing were never used. */
export const migrations: Record<string, Migration> = {
  '0001-circulation': circulation,
  '0002-settlements': settlements,
  '0003-devices': devices,
  '0004-journal-transactions': journalTransactions,
  '0005-loan-tallies': loanTallies,
  '0006-device-names': deviceNames,
  '0007-devices-of-sessions': devicesOfSessions,
  '0008-key-sites': keySites,
  '0010-orders-of-lists': ordersOfLists,
  '0011-mail-sites': mailSites,
  '0012-reasons-of-loans': reasonsOfLoans,
  '0013-keywords': keywords,
  '0014-fewer-round-trips': fewerRoundTrips,
  '0015-user-filters': userFilters,
  '0016-jobs': jobs,
  '0017-reminded-loans': remindedLoans,
  '0018-views': views,
  '0019-names-of-views': namesOfViews,
  '0020-new-keys': newKeys,
  '0021-what-reports-need': whatReportsNeed,
  '0022-rules-and-places': rulesAndPlaces,
  '0023-users-and-profiles': usersAndProfiles,
  '0025-looked-up-codes': lookedUpCodes,
  '0026-readers': readers,
  '0027-coded-fields': codedFields,
  '0028-start': start,
  '0029-reference-images': referenceImages,
  '0030-second-factor': secondFactor,
  '0035-found-images': foundImages,
  '0036-conditions-and-preset': conditionsAndPreset,
  '0037-acts': acts,
  '0038-imports': imports,
  '0039-conditions-of-loans': conditionsOfLoans,
  '0040-labels': labels,
  '0041-inventories': inventories,
  '0042-leaving': leaving,
  '0043-reservations': reservations,
  '0044-open-days': openDays,
  '0045-sales': sales,
  '0046-mails': mails,
  '0047-conditions-by-version': conditionsByVersion,
  '0048-house-words': houseWords,
  '0049-weeding': weeding,
  '0050-forgetting': forgetting,
  '0052-weekly-hours': weeklyHours,
  '0053-last-active': lastActive,
  '0054-suspended-forgetting': suspendedForgetting,
  '0055-scanned-into-cart': scannedIntoCart,
  '0056-nobody-in-copies': nobodyInCopies,
  '0059-tallies-of-figures': talliesOfFigures,
  '0060-planned-in-dry-runs': plannedInDryRuns,
  '0061-past-of-numbers': pastOfNumbers,
  '0062-large-libraries': largeLibraries,
  '0065-locks-of-one-library': locksOfOneLibrary,
  '0066-keys-of-one-library': keysOfOneLibrary,
  '0067-matricules-passed': matriculesPassed,
  '0068-what-kept-answers-tell': whatKeptAnswersTell,
  '0069-no-wait-before-the-form': noWaitBeforeTheForm,
  '0070-mails-written': mailsWritten,
  '0072-what-imports-tell': whatImportsTell,
  '0073-rights-of-one-person': rightsOfOnePerson,
  '0074-no-balance-from-files': noBalanceFromFiles,
  '0075-most-renewals': mostRenewals,
  '0076-cards-alike': cardsAlike,
}
