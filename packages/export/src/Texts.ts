/**
 * The texts of files for people, in every language. An entry is named by its English text; `{0}` and `{1}` stand for values. Texts of the service
 * stay as they came.
 */
import type { Table } from "./table/Table.ts"

export type Language = "en" | "el" | "pt"

export const languages = ["en", "el", "pt"] as const satisfies ReadonlyArray<Language>

const locales = { en: "en-GB", el: "el-GR", pt: "pt-PT" } as const

/** In Greek and in Portuguese. */
const texts = {
  // Tables
  "API keys": ["Κλειδιά API", "Chaves de API"],
  Changes: ["Αλλαγές", "Alterações"],
  Cities: ["Πόλεις", "Cidades"],
  Contracts: ["Συμβόλαια", "Contratos"],
  Cover: ["Εξώφυλλο", "Capa"],
  Months: ["Μήνες", "Meses"],
  Source: ["Προέλευση", "Origem"],
  Summary: ["Σύνοψη", "Resumo"],
  Units: ["Μονάδες", "Unidades"],
  "Contracts of {0}": ["Συμβόλαια: {0}", "Contratos de {0}"],
  "{0} and {1}": ["{0} και {1}", "{0} e {1}"],
  "{0} of {1}": ["{0}: {1}", "{0} de {1}"],

  Amounts: ["Ποσά", "Montantes"],

  // Columns
  "Age (days)": ["Ηλικία (ημέρες)", "Idade (dias)"],
  After: ["Μετά", "Depois"],
  Area: ["Περιοχή", "Zona"],
  Before: ["Πριν", "Antes"],
  Change: ["Αλλαγή", "Alteração"],
  City: ["Πόλη", "Cidade"],
  Contract: ["Συμβόλαιο", "Contrato"],
  "Contract id": ["Αριθμός συμβολαίου", "Número do contrato"],
  "Contracts created": ["Νέα συμβόλαια", "Contratos criados"],
  "Contracts so far": ["Συμβόλαια ως τώρα", "Contratos até agora"],
  Currency: ["Νόμισμα", "Moeda"],
  Created: ["Δημιουργήθηκε", "Criado"],
  Findings: ["Ευρήματα", "Observações"],
  "First seen": ["Πρώτη εμφάνιση", "Visto pela primeira vez"],
  "Id in listing": ["Αριθμός στην αγγελία", "Número no anúncio"],
  Key: ["Κλειδί", "Chave"],
  Kind: ["Είδος", "Tipo"],
  "Last updated": ["Τελευταία ενημέρωση", "Última atualização"],
  "Last updated, now ended": ["Τελευταία ενημέρωση, πλέον έληξαν", "Última atualização, já terminados"],
  "Last used": ["Τελευταία χρήση", "Última utilização"],
  "Latest contract": ["Τελευταίο συμβόλαιο", "Último contrato"],
  Listing: ["Αγγελία", "Anúncio"],
  "Listing id": ["Αριθμός αγγελίας", "Número do anúncio"],
  "Listing slug": ["Σύντομο όνομα αγγελίας", "Nome curto do anúncio"],
  Month: ["Μήνας", "Mês"],
  Name: ["Όνομα", "Nome"],
  "Of active contracts": ["Ενεργών συμβολαίων", "De contratos ativos"],
  Occupancy: ["Πληρότητα", "Ocupação"],
  "Other members (JSON)": ["Άλλα στοιχεία (JSON)", "Outros dados (JSON)"],
  "Other statuses": ["Άλλες καταστάσεις", "Outros estados"],
  "Units occupied": ["Κατειλημμένες μονάδες", "Unidades ocupadas"],
  "Units vacant": ["Κενές μονάδες", "Unidades livres"],
  Priority: ["Προτεραιότητα", "Prioridade"],
  "Public page": ["Δημόσια σελίδα", "Página pública"],
  Revoked: ["Ανακλήθηκε", "Revogada"],
  Scopes: ["Δικαιώματα", "Âmbitos"],
  Status: ["Κατάσταση", "Estado"],
  "Template id": ["Αριθμός προτύπου", "Número do modelo"],
  Unit: ["Μονάδα", "Unidade"],
  "Unit id": ["Αριθμός μονάδας", "Número da unidade"],
  "Unused for (days)": ["Χωρίς χρήση (ημέρες)", "Sem utilização (dias)"],
  Updated: ["Ενημερώθηκε", "Atualizado"],
  Value: ["Τιμή", "Valor"],
  What: ["Τι", "O quê"],

  // Values of documented members, and values that are computed
  Active: ["Ενεργό", "Ativo"],
  Draft: ["Πρόχειρο", "Rascunho"],
  Ended: ["Έληξε", "Terminado"],
  Occupied: ["Κατειλημμένη", "Ocupada"],
  Rent: ["Ενοικίαση", "Arrendamento"],
  Sale: ["Πώληση", "Venda"],
  Vacant: ["Κενή", "Livre"],
  added: ["προστέθηκε", "adicionado"],
  changed: ["άλλαξε", "alterado"],
  high: ["υψηλή", "alta"],
  low: ["χαμηλή", "baixa"],
  medium: ["μεσαία", "média"],
  removed: ["αφαιρέθηκε", "removido"],
  returned: ["επανήλθε", "voltou"],
  complete: ["πλήρες", "completo"],
  interrupted: ["διακόπηκε", "interrompido"],
  partial: ["ελλιπές", "parcial"],
  unverified: ["μη επαληθευμένο", "não verificado"],

  // Counts
  "{0} API key": ["{0} κλειδί API", "{0} chave de API"],
  "{0} API keys": ["{0} κλειδιά API", "{0} chaves de API"],
  "{0} contract": ["{0} συμβόλαιο", "{0} contrato"],
  "{0} contracts": ["{0} συμβόλαια", "{0} contratos"],
  "{0} row": ["{0} γραμμή", "{0} linha"],
  "{0} rows": ["{0} γραμμές", "{0} linhas"],
  "(none)": ["(καμία)", "(nenhuma)"],
  All: ["Σύνολο", "Total"],
  "Contracts by city and status": ["Συμβόλαια ανά πόλη και κατάσταση", "Contratos por cidade e estado"],
  "Contracts by year of creation and status": [
    "Συμβόλαια ανά έτος δημιουργίας και κατάσταση",
    "Contratos por ano de criação e estado",
  ],
  "Year (UTC)": ["Έτος (UTC)", "Ano (UTC)"],
  "Other years": ["Άλλα έτη", "Outros anos"],
  "Other cities": ["Άλλες πόλεις", "Outras cidades"],
  Total: ["Σύνολο", "Total"],
  contracts: ["συμβόλαια", "contratos"],
  others: ["άλλα", "outros"],
  "Stacked bars with the numbers of the table above.": [
    "Στοιβαγμένες ράβδοι με τους αριθμούς του παραπάνω πίνακα.",
    "Barras empilhadas com os números da tabela acima.",
  ],

  // The cover of a report
  "Complete: {0}, all that existed during the whole read.": [
    "Πλήρες: {0}, όλα όσα υπήρχαν σε όλη τη διάρκεια της ανάγνωσης.",
    "Completo: {0}, tudo o que existia durante toda a leitura.",
  ],
  "Complete: {0}, all that met the conditions and existed during the whole read.": [
    "Πλήρες: {0}, όλα όσα πληρούσαν τους όρους και υπήρχαν σε όλη τη διάρκεια της ανάγνωσης.",
    "Completo: {0}, tudo o que cumpria as condições e existia durante toda a leitura.",
  ],
  "Partial: records are missing.": ["Ελλιπές: λείπουν εγγραφές.", "Parcial: faltam registos."],
  "Not shown to be complete (unverified).": [
    "Η πληρότητα δεν αποδείχθηκε (μη επαληθευμένο).",
    "Não se demonstrou que está completo (não verificado).",
  ],
  "As the service listed them": ["Όπως τα έδωσε η υπηρεσία", "Como o serviço os apresentou"],
  "As a mirror knew them": ["Όπως τα γνώριζε το αντίγραφο", "Como a cópia os conhecia"],
  "Prepared for {0}.": ["Για: {0}.", "Preparado para {0}."],
  "as of {0}": ["στις {0}", "em {0}"],
  "read on {0}": ["ανάγνωση στις {0}", "lidos em {0}"],
  "read from {0} to {1}": ["ανάγνωση από {0} έως {1}", "lidos de {0} a {1}"],
  "What is in this workbook": ["Τι περιέχει αυτό το βιβλίο", "O que contém este livro"],
  "{0}, one for each contract": ["{0}, μία για κάθε συμβόλαιο", "{0}, uma por contrato"],
  Only: ["Μόνο", "Apenas"],
  "{0}, with findings; the service never gives the secrets": [
    "{0}, με ευρήματα· η υπηρεσία δεν δίνει ποτέ τα μυστικά",
    "{0}, com observações; o serviço nunca dá os segredos",
  ],
  "{0}: the latest contract of each. By it {1} are occupied and {2} vacant: rentals that are active, or have ended. A unit without an id is identified by listing and label":
    [
      "{0}: το τελευταίο συμβόλαιο κάθε μονάδας. Κατά αυτό {1} είναι κατειλημμένες και {2} κενές: ενοικιάσεις ενεργές ή που έληξαν. Μονάδα χωρίς αριθμό αναγνωρίζεται από την αγγελία και την ονομασία",
      "{0}: o último contrato de cada unidade. Segundo ele, {1} estão ocupadas e {2} livres: arrendamentos ativos ou terminados. Uma unidade sem número é identificada pelo anúncio e pela designação",
    ],
  "{0}: contracts by status, and units that are occupied or vacant": [
    "{0}: συμβόλαια ανά κατάσταση, και μονάδες κατειλημμένες ή κενές",
    "{0}: contratos por estado, e unidades ocupadas ou livres",
  ],
  "Contracts created and last updated, by month in UTC": [
    "Συμβόλαια ανά μήνα δημιουργίας και τελευταίας ενημέρωσης, σε UTC",
    "Contratos criados e atualizados pela última vez, por mês em UTC",
  ],
  "{0}: members of the data payload that have an amount and a currency, added up by month of creation": [
    "{0}: στοιχεία των πρόσθετων δεδομένων με ποσό και νόμισμα, αθροισμένα ανά μήνα δημιουργίας",
    "{0}: dados adicionais com montante e moeda, somados por mês de criação",
  ],
  "{0} {1} in {2}, of which {3} {1} in active ones": [
    "{0} {1} σε {2}, από τα οποία {3} {1} σε ενεργά",
    "{0} {1} em {2}, dos quais {3} {1} em ativos",
  ],
  "Where the records are from, and how completeness was checked": [
    "Από πού προέρχονται οι εγγραφές και πώς ελέγχθηκε ότι είναι όλες",
    "De onde vêm os registos e como se verificou que são todos",
  ],
  "What has changed": ["Τι άλλαξε", "O que mudou"],
  "What the service does not give": ["Τι δεν δίνει η υπηρεσία", "O que o serviço não dá"],
  "Not known": ["Άγνωστα", "Desconhecido"],
  "Start, end, rent and tenant of a contract.": [
    "Έναρξη, λήξη, μίσθωμα και μισθωτής ενός συμβολαίου.",
    "Início, fim, renda e inquilino de um contrato.",
  ],
  "Start, end, rent and tenant of a contract are not promised. Columns of the data payload are as the service sent them.":
    [
      "Έναρξη, λήξη, μίσθωμα και μισθωτής ενός συμβολαίου δεν είναι εγγυημένα. Οι στήλες των πρόσθετων δεδομένων είναι όπως τις έστειλε η υπηρεσία.",
      "Início, fim, renda e inquilino de um contrato não são garantidos. As colunas dos dados adicionais estão como o serviço as enviou.",
    ],
  "A contract that has ended is counted in the month of its last update, because the date on which it ended is not given.":
    [
      "Ένα συμβόλαιο που έληξε μετράται στον μήνα της τελευταίας ενημέρωσής του, επειδή η ημερομηνία λήξης δεν δίνεται.",
      "Um contrato terminado conta no mês da sua última atualização, porque a data em que terminou não é dada.",
    ],

  // Changes
  "Before → after": ["Πριν → μετά", "Antes → depois"],
  "Changes to {0}": ["Αλλαγές έως {0}", "Alterações até {0}"],
  "the first read": ["την πρώτη ανάγνωση", "a primeira leitura"],
  "First seen from {0} to {1} in {2}.": [
    "Πρώτη εμφάνιση από {0} έως {1} στο {2}.",
    "Vistas pela primeira vez de {0} a {1} em {2}.",
  ],
  "No changes": ["Καμία αλλαγή", "Sem alterações"],
  "Not counted": ["Δεν μετρήθηκαν", "Não contados"],
  Record: ["Εγγραφή", "Registo"],
  Since: ["Από", "Desde"],
  Unusual: ["Ασυνήθιστο", "Invulgar"],
  "contract {0}": ["συμβόλαιο {0}", "contrato {0}"],
  "API key {0}": ["κλειδί API {0}", "chave de API {0}"],
  nothing: ["τίποτα", "nada"],
  pruned: ["διαγράφηκε", "eliminado"],
  "{0} added": ["{0} νέα", "{0} adicionados"],
  "{0} changed": ["{0} άλλαξαν", "{0} alterados"],
  "{0} removed": ["{0} αφαιρέθηκαν", "{0} removidos"],
  "{0} returned": ["{0} επανήλθαν", "{0} voltaram"],
  "({0} unusual)": ["({0} ασυνήθιστα)", "({0} invulgares)"],
  "{0} read for the first time": ["{0}: πρώτη ανάγνωση", "{0}: primeira leitura"],
  "{0} removal held: {1} that the service no longer has and `deedkit sync accept` removes": [
    "{0} αφαίρεση σε αναμονή: {1} που η υπηρεσία δεν έχει πια και αφαιρεί το `deedkit sync accept`",
    "{0} remoção retida: {1} que o serviço já não tem e que `deedkit sync accept` remove",
  ],
  "{0} removals held: {1} that the service no longer has and `deedkit sync accept` removes": [
    "{0} αφαιρέσεις σε αναμονή: {1} που η υπηρεσία δεν έχει πια και αφαιρεί το `deedkit sync accept`",
    "{0} remoções retidas: {1} que o serviço já não tem e que `deedkit sync accept` remove",
  ],

  // Several accounts
  Accounts: ["Λογαριασμοί", "Contas"],
  "{0} accounts": ["{0} λογαριασμοί", "{0} contas"],
  "{0}, {1}": ["{0}, {1}", "{0}, {1}"],

  // Where records are from
  Account: ["Λογαριασμός", "Conta"],
  "Account in the mirror": ["Λογαριασμός στο αντίγραφο", "Conta na cópia"],
  Because: ["Επειδή", "Porque"],
  "Key fingerprint": ["Αποτύπωμα κλειδιού", "Impressão digital da chave"],
  "Made by": ["Δημιουργήθηκε από", "Feito por"],
  Profile: ["Προφίλ", "Perfil"],
  Service: ["Υπηρεσία", "Serviço"],
  "Shown by": ["Αποδεικνύεται από", "Demonstrado por"],
  "Times are in": ["Ζώνη ώρας", "Fuso horário"],
  Verdict: ["Συμπέρασμα", "Conclusão"],
  "{0} {1}": ["{0} {1}", "{0} {1}"],
  "{0}: only": ["{0}: μόνο", "{0}: apenas"],
  "{0}: run of the mirror": ["{0}: εκτέλεση του αντιγράφου", "{0}: execução da cópia"],

  // Why a list is complete, or not
  "{0} page": ["{0} σελίδα", "{0} página"],
  "{0} pages": ["{0} σελίδες", "{0} páginas"],
  "{0} reading": ["{0} ανάγνωση", "{0} leitura"],
  "{0} readings": ["{0} αναγνώσεις", "{0} leituras"],
  twice: ["δύο φορές", "duas vezes"],
  "{0} times": ["{0} φορές", "{0} vezes"],
  "{0} s": ["{0} δευτ.", "{0} s"],
  "{0} min": ["{0} λεπτά", "{0} min"],
  "{0} h": ["{0} ώρες", "{0} h"],
  "{0} days": ["{0} ημέρες", "{0} dias"],
  "The list of {0} was read between {1} and {2}, in one answer.": [
    "Ο κατάλογος ({0}) διαβάστηκε μεταξύ {1} και {2}, σε μία απάντηση.",
    "A lista ({0}) foi lida entre {1} e {2}, numa só resposta.",
  ],
  "The list of {0} was read between {1} and {2}. The list is in the order of ids and every page begins where the one before ended, so no {3} that existed all that time is missing.":
    [
      "Ο κατάλογος ({0}) διαβάστηκε μεταξύ {1} και {2}. Έχει τη σειρά των αριθμών και κάθε σελίδα αρχίζει εκεί όπου τελείωσε η προηγούμενη, άρα δεν λείπει καμία εγγραφή που υπήρχε σε όλο αυτό το διάστημα.",
      "A lista ({0}) foi lida entre {1} e {2}. Está por ordem de números e cada página começa onde a anterior acabou, pelo que não falta nenhum registo que existisse durante todo esse tempo.",
    ],
  "The list of {0} was read {1} between {2} and {3}; nothing differed.": [
    "Ο κατάλογος ({0}) διαβάστηκε {1} μεταξύ {2} και {3}· τίποτα δεν διέφερε.",
    "A lista ({0}) foi lida {1} entre {2} e {3}; nada diferiu.",
  ],
  "The list of {0} was read {1} between {2} and {3}; nothing differed but {4} created, changed or removed meanwhile.":
    [
      "Ο κατάλογος ({0}) διαβάστηκε {1} μεταξύ {2} και {3}· διέφεραν μόνο όσα στο μεταξύ προστέθηκαν, άλλαξαν ή αφαιρέθηκαν: {4}.",
      "A lista ({0}) foi lida {1} entre {2} e {3}; só diferiu o que entretanto foi criado, alterado ou removido: {4}.",
    ],
  "The list of {0} was read {1} between {2} and {3}; nothing differed but what was created, changed or removed meanwhile.":
    [
      "Ο κατάλογος ({0}) διαβάστηκε {1} μεταξύ {2} και {3}· διέφεραν μόνο όσα στο μεταξύ προστέθηκαν, άλλαξαν ή αφαιρέθηκαν.",
      "A lista ({0}) foi lida {1} entre {2} e {3}; só diferiu o que entretanto foi criado, alterado ou removido.",
    ],
  "The list did not end with null.": ["Ο κατάλογος δεν τελείωσε με null.", "A lista não terminou com null."],
  "Read before a pause of {1} and not read again: {0}.": [
    "Πριν από παύση ({1}) διαβάστηκαν και δεν διαβάστηκαν ξανά: {0}.",
    "Lido antes de uma pausa de {1}, sem nova leitura: {0}.",
  ],
  "Read before a pause of {1} and not read again: {0}. Seen later and changed during it: {2}.": [
    "Πριν από παύση ({1}) διαβάστηκαν και δεν διαβάστηκαν ξανά: {0}. Εγγραφές που εμφανίστηκαν αργότερα και είχαν αλλάξει στη διάρκειά της: {2}.",
    "Lido antes de uma pausa de {1}, sem nova leitura: {0}. Registos que apareceram mais tarde e mudaram durante a pausa: {2}.",
  ],
  "The list of {0} broke off after {1}.": [
    "Ο κατάλογος ({0}) διακόπηκε μετά από {1}.",
    "A lista ({0}) interrompeu-se após {1}.",
  ],
  "It could not be verified that the cursor ?{0}= reaches all {1}{2}.": [
    "Δεν επαληθεύτηκε ότι ο δείκτης ?{0}= φτάνει σε όλα τα {1}.",
    "Não foi possível verificar que o cursor ?{0}= chega ao fim da lista ({1}).",
  ],
  "After {0}, {1} were still found in one reading and missing from another. {2} again when fewer of them are being changed.":
    [
      "Μετά από {0}, {1} υπήρχαν ακόμη σε μία ανάγνωση και έλειπαν από άλλη. Δοκιμάστε ξανά όταν αλλάζουν λιγότερα.",
      "Após {0}, ainda havia {1} numa leitura que faltavam noutra. Repita quando menos registos estiverem a mudar.",
    ],
  "The service's pages contradict each other: it seems to filter {0} by the id that the cursor names, and to sort them by something else, which can hide some.":
    [
      "Οι σελίδες της υπηρεσίας αντιφάσκουν: φαίνεται να φιλτράρει {0} με τον αριθμό που δηλώνει ο δείκτης και να τα ταξινομεί με κάτι άλλο, πράγμα που μπορεί να κρύβει ορισμένα.",
      "As páginas do serviço contradizem-se: parece filtrar {0} pelo número que o cursor indica e ordenar por outra coisa, o que pode esconder registos.",
    ],
  "The list was read to its end, but a request that would have shown that no {0} is missing failed.": [
    "Ο κατάλογος διαβάστηκε ως το τέλος, αλλά απέτυχε ένα αίτημα που θα έδειχνε ότι δεν λείπει καμία εγγραφή.",
    "A lista foi lida até ao fim, mas falhou um pedido que mostraria que não falta nenhum registo.",
  ],
  "The list is not in the order of ids, and the {0} read before the pause were not read again.": [
    "Ο κατάλογος δεν έχει τη σειρά των αριθμών, και όσα διαβάστηκαν πριν από την παύση δεν διαβάστηκαν ξανά ({0}).",
    "A lista não está por ordem de números, e o que foi lido antes da pausa não voltou a ser lido ({0}).",
  ],
  "Pages of {0} do not overlap, and nothing was read twice: removed records may have hidden others.": [
    "Οι σελίδες ({0}) δεν επικαλύπτονται και τίποτα δεν διαβάστηκε δύο φορές: εγγραφές που αφαιρέθηκαν μπορεί να έκρυψαν άλλες.",
    "As páginas ({0}) não se sobrepõem e nada foi lido duas vezes: registos removidos podem ter escondido outros.",
  ],
  "{0} record not as specified: rejected, and saved in a separate file.": [
    "{0} εγγραφή δεν είναι όπως ορίζεται: απορρίφθηκε και αποθηκεύτηκε σε χωριστό αρχείο.",
    "{0} registo fora da especificação: rejeitado e guardado num ficheiro à parte.",
  ],
  "{0} records not as specified: rejected, and saved in a separate file.": [
    "{0} εγγραφές δεν είναι όπως ορίζεται: απορρίφθηκαν και αποθηκεύτηκαν σε χωριστό αρχείο.",
    "{0} registos fora da especificação: rejeitados e guardados num ficheiro à parte.",
  ],
  "{0} record without the data that was requested.": [
    "{0} εγγραφή χωρίς τα δεδομένα που ζητήθηκαν.",
    "{0} registo sem os dados pedidos.",
  ],
  "{0} records without the data that was requested.": [
    "{0} εγγραφές χωρίς τα δεδομένα που ζητήθηκαν.",
    "{0} registos sem os dados pedidos.",
  ],

  // Pages of paper, and what screen readers say
  "Page {0} of {1}": ["Σελίδα {0} από {1}", "Página {0} de {1}"],
  "read from {0} UTC": ["ανάγνωση από {0} UTC", "lido a partir de {0} UTC"],
  "continued on the next sheet": ["συνεχίζεται στο επόμενο φύλλο", "continua na folha seguinte"],
  "verdict on the cover": ["συμπέρασμα στο εξώφυλλο", "conclusão na capa"],
  "verdict on the last sheet": ["συμπέρασμα στο τελευταίο φύλλο", "conclusão na última folha"],
  "{0}: {1} below headings. Columns: {2}.": [
    "{0}: {1} κάτω από τις επικεφαλίδες. Στήλες: {2}.",
    "{0}: {1} abaixo dos cabeçalhos. Colunas: {2}.",
  ],
} as const satisfies { readonly [english: string]: readonly [el: string, pt: string] }

export type Text = keyof typeof texts

const places = { el: 0, pt: 1 } as const

const found = (language: Language, english: string): string =>
  language === "en" || !Object.hasOwn(texts, english) ? english : texts[english as Text][places[language]]

export const say = (language: Language, text: Text, ...values: ReadonlyArray<string | number>): string =>
  found(language, text).replaceAll(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)] ?? ""))

export const number = (language: Language, value: number): string =>
  new Intl.NumberFormat(language === "en" ? "en-US" : locales[language], { useGrouping: true }).format(value)

/** An amount of money, with two decimals or more. */
export const amount = (language: Language, value: number): string =>
  new Intl.NumberFormat(language === "en" ? "en-US" : locales[language], {
    useGrouping: true,
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  }).format(value)

/** A count with its noun, `{0}` in both texts. */
export const count = (
  language: Language,
  value: number,
  one: Text,
  many: Text,
  ...values: ReadonlyArray<string>
): string => say(language, value === 1 ? one : many, number(language, value), ...values)

/** `1 March 2026` for a day such as `2026-03-01`; another text as it is. */
export const day = (language: Language, date: string): string => {
  const at = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(at.getTime())
    ? date
    : new Intl.DateTimeFormat(locales[language], { dateStyle: "long", timeZone: "UTC" }).format(at)
}

/** The language of a locale such as `el_GR.UTF-8`; English if there are no texts in it. */
export const ofLocale = (locale: string): Language =>
  languages.find((language) => new RegExp(`^${language}(?![a-z])`, "i").test(locale)) ?? "en"

/** A heading, whose end in parentheses names a time zone; one that has no entry as it is. */
const heading = (language: Language, label: string): string => {
  if (Object.hasOwn(texts, label)) return found(language, label)
  const zone = / \([^()]*\)$/.exec(label)?.[0] ?? ""
  return `${found(language, label.slice(0, label.length - zone.length))}${zone}`
}

/** The table with its title and headings in a language. */
export const inLanguage = <A>(table: Table<A>, language: Language): Table<A> => {
  if (language === "en") return table
  const labelled = (columns: Table<A>["columns"]) =>
    columns.map((column) => ({ ...column, label: heading(language, column.label) }))
  return {
    ...table,
    title: found(language, table.title),
    columns: labelled(table.columns),
    onDemand: labelled(table.onDemand),
  }
}
