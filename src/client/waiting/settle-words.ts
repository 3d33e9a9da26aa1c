import type { SettleChoice } from '../../domain/settle-choice-codes.ts'

export const settleHints: Record<SettleChoice, string> = {
  ALREADY_RECORDED: 'Le serveur l’a déjà\u202f: rien d’autre n’est écrit.',
  CLOSE_AND_LEND: 'L’autre prêt est rendu à l’heure de celui-ci, puis celui-ci est enregistré.',
  NOT_HANDED_OVER: 'Le lecteur n’est pas parti avec\u202f: aucun prêt n’est enregistré.',
  SEEN_ON_SHELF: 'L’exemplaire est bien là\u202f: sa présence est notée.',
  IGNORE: 'Rien n’est changé\u202f; la décision est notée.',
  KEEP_NEWER: 'Le prêt plus récent reste en cours\u202f; ce retour-ci est seulement noté.',
  RETURN_FOR_HOLDER: 'L’exemplaire est là\u202f: le prêt que le serveur connaît est rendu.',
  SET_ASIDE_FOR_READER: 'L’exemplaire n’est pas prêté et attend le lecteur qui l’a réservé.',
  LEND_DESPITE_RESERVATION: 'Le prêt est enregistré, la réservation reste en attente.',
  OVERRIDE: 'Le prêt est enregistré avec votre motif.',
  LEND_WITHIN_BOUNDS:
    'Le prêt est enregistré\u202f; ce qui dépasse les limites est ramené aux règles du support, et signalé.',
  RECALL: 'Il est parti avec\u202f: le prêt est enregistré, à rendre aujourd’hui, et les rappels suivront.',
  LINK_LEND: 'Le prêt est enregistré pour l’exemplaire que vous désignez.',
  LINK_READER: 'Le prêt est enregistré pour le lecteur que vous désignez.',
  LINK_RETURN: 'Le retour est enregistré pour l’exemplaire que vous désignez.',
  RECORD_UNKNOWN_RETURN: 'Le retour est noté au journal, pour être rattaché plus tard.',
  DATE_LEND: 'Le prêt est enregistré à la date que vous dites.',
  DATE_RETURN: 'Le retour est enregistré à la date que vous dites.',
}
