BEGIN TRANSACTION;
CREATE TABLE budget_change (
	id INTEGER NOT NULL, 
	scope_id INTEGER NOT NULL, 
	epsilon_nano BIGINT NOT NULL CHECK (epsilon_nano >= 0), 
	delta_atto BIGINT NOT NULL CHECK (delta_atto >= 0), 
	rho_nano BIGINT NOT NULL CHECK (rho_nano >= 0), 
	note VARCHAR NOT NULL, 
	day DATE NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(scope_id) REFERENCES scope (id)
);
INSERT INTO "budget_change" VALUES(1,1,3000000000,0,0,'the owner','2026-11-17');
CREATE TABLE declaration (
	id INTEGER NOT NULL, 
	dataset VARCHAR NOT NULL, 
	subject VARCHAR NOT NULL CHECK (subject IN ('user_column', 'apart')), 
	value VARCHAR NOT NULL, 
	note VARCHAR NOT NULL, 
	day DATE NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (dataset, subject, value)
);
INSERT INTO "declaration" VALUES(1,'tickets','user_column','customer','the owner','2026-11-17');
CREATE TABLE dpspin_ledger (
	schema_version INTEGER NOT NULL, 
	genesis VARCHAR NOT NULL, 
	PRIMARY KEY (schema_version)
);
INSERT INTO "dpspin_ledger" VALUES(5,'ff02e3d412605cd5186032e64d5674e115c3cd5ed870403f8d5b44d2c5ae13cc');
CREATE TABLE entry (
	id INTEGER NOT NULL, 
	scope_id INTEGER NOT NULL, 
	fingerprint VARCHAR NOT NULL, 
	content VARCHAR NOT NULL, 
	epsilon_nano BIGINT NOT NULL CHECK (epsilon_nano > 0), 
	delta_atto BIGINT NOT NULL CHECK (delta_atto >= 0), 
	rho_nano BIGINT NOT NULL CHECK (rho_nano > 0), 
	unit VARCHAR NOT NULL CHECK (unit IN ('record', 'user')), 
	adjacency VARCHAR NOT NULL CHECK (adjacency IN ('add_drop', 'replace')), 
	mechanism VARCHAR NOT NULL, 
	request VARCHAR NOT NULL, 
	part VARCHAR, 
	day DATE NOT NULL, 
	user_column VARCHAR, 
	likeness BLOB, 
	PRIMARY KEY (id), 
	UNIQUE (scope_id, fingerprint), 
	FOREIGN KEY(scope_id) REFERENCES scope (id)
);
INSERT INTO "entry" VALUES(1,1,'answered','digest of tickets',250000000,0,31250001,'user','add_drop','laplace','{"mechanism":{"kind":"laplace"}}',NULL,'2026-11-17','customer',NULL);
INSERT INTO "entry" VALUES(2,1,'resumed','digest of tickets',250000000,0,31250001,'user','add_drop','laplace','{"mechanism":{"kind":"laplace"}}',NULL,'2026-11-17','customer',NULL);
INSERT INTO "entry" VALUES(3,1,'stopped','digest of tickets',250000000,0,31250001,'user','add_drop','laplace','{"mechanism":{"kind":"laplace"}}',NULL,'2026-11-17','customer',NULL);
INSERT INTO "entry" VALUES(4,1,'a life','content of nobody',1000000000,0,500000001,'user','add_drop','laplace in a series','{"mechanism":{"kind":"laplace"},"series":{"life":1}}',NULL,'2026-11-17','customer',NULL);
CREATE TABLE link (
	position INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	row_id INTEGER NOT NULL, 
	public_hash VARCHAR NOT NULL, 
	private_hash VARCHAR NOT NULL, 
	PRIMARY KEY (position), 
	UNIQUE (kind, row_id), 
	UNIQUE (public_hash)
);
INSERT INTO "link" VALUES(1,'scope',1,'58d6a31c1c0763fa7dbab97da8c0c5c2b7395075fc4e76e45c33a924d4e3ef85','6a85e2f33b6cf8780644eceb25bb45951e887e06a5c702c5506f16fdb9da1f7f');
INSERT INTO "link" VALUES(2,'budget',1,'b4885b1aeeb5a5e051be1cdad7ad4e4ccb64071a56fbe5b92984d4cb1a1e7a6e','c4751c9cad6a0654050f89fa1c7e869e97ac2ebb05c31c76483a199d6137858d');
INSERT INTO "link" VALUES(3,'declaration',1,'f03746dd3e97b5e903dcb04c9014d3d7ef8f79b1e74fa0a7adf172ff4090f0ea','c88a72d6a57b0a8eecb743296f43ef07bd9a5905a58c2a2e9de78f85ca76f255');
INSERT INTO "link" VALUES(4,'entry',1,'68f4a69be194e7ef1476ac2c8bbd87644c83c509590a824cd14b0d4362b97523','c33b7513da8f186051bbecf3620bc923170e9650e33ded09a718f723cdcd7aaa');
INSERT INTO "link" VALUES(5,'output',1,'41cc9158d7a5d0dd41743465f6056af488473b3f5f217fa71381a0af8a3215ce','40dac436021fc1bcaa6d7d75cb489885bf172bad4a868c9a45b79650a52c5763');
INSERT INTO "link" VALUES(6,'entry',2,'c47118b405b99f33930118693f53af8665d0bf4af4c5714f56ebfa1fe890a7a6','a2453e593102d3abfd7f81991146930826e5dbf6d6d042ecd402d028f0b9c487');
INSERT INTO "link" VALUES(7,'output',2,'4d74b3fd119bb742aa11fae983edefe8897ac0339709a5179596dbfcb8adcb07','b1f732720730c546f44ec9da28f768fe326cf160398e0853d37fa7eb18f1c7be');
INSERT INTO "link" VALUES(8,'entry',3,'7eabe06ceebe3f0ab70e246722a99985df1a7608b1a28155d8f335485a341dbe','f0d13dc064cc7acafb6a860ea1db1723cdc8b09ecff6d804c7bbe2860b89c05f');
INSERT INTO "link" VALUES(9,'entry',4,'d89e3daf5c06a4dbb11027c197517897caa57ada4ec0108922be516bee5ce067','7fe6edebe8fc842c47837d0e50ee67ccfeac4fe9c2fbbc4fe3f5cc11d837d06a');
INSERT INTO "link" VALUES(10,'output',4,'18c9d186219faf72cf46a86d5573d192b4b2263e24564a2017a1d202ecd9125f','564dff6a76a3da4b47c413c3e7a0b73287af2620b8b8702d6f3b62a14e96ff53');
INSERT INTO "link" VALUES(11,'period',1,'4eafc4c5754d192ce764b5b7ebeb5bab3778d4975d76cb6d18a72c030aa8f7a9','f794c5d9efc98d71360681618f85a7f9212fe11bcbea6ddfea1e94585ed72f07');
INSERT INTO "link" VALUES(12,'period_output',1,'a170708b3d297e720ecae7afe91fc957a29549945a558fa58a4ba8f3e2cdc39e','4c8e6668a231709a7dd76ba3aaa4d5e97a5262f3fb94acaccfe4a9dd29dc5916');
INSERT INTO "link" VALUES(13,'period',2,'8ec755dea8e7847587ae595030756cf37464fc7e88a69bc7ccb89e90ee42df99','ff0720e033275a0cb7994e07e382c46e55bf371fca43d99382a5726bbd1eb8f4');
CREATE TABLE output (
	id INTEGER NOT NULL, 
	attempt INTEGER NOT NULL CHECK (attempt >= 1), 
	output BLOB NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES entry (id)
);
INSERT INTO "output" VALUES(1,1,X'7B2261223A2022706C616E227D');
INSERT INTO "output" VALUES(2,2,X'7B2261223A2022726573756D656420706C616E227D');
INSERT INTO "output" VALUES(4,1,X'7465726D73');
CREATE TABLE period (
	id INTEGER NOT NULL, 
	entry_id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	generation INTEGER NOT NULL CHECK (generation >= 1), 
	content VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	likeness BLOB, 
	day DATE NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (entry_id, name), 
	UNIQUE (entry_id, generation), 
	FOREIGN KEY(entry_id) REFERENCES entry (id)
);
INSERT INTO "period" VALUES(1,4,'2026-W01',1,'records of 2026-W01','state 1',NULL,'2026-11-17');
INSERT INTO "period" VALUES(2,4,'2026-W02',2,'records of 2026-W02','state 2',NULL,'2026-11-17');
CREATE TABLE period_output (
	id INTEGER NOT NULL, 
	attempt INTEGER NOT NULL CHECK (attempt >= 1), 
	output BLOB NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES period (id)
);
INSERT INTO "period_output" VALUES(1,2,X'706C616E206F6620323032362D573031');
CREATE TABLE period_run (
	id INTEGER NOT NULL, 
	period_id INTEGER NOT NULL, 
	attempt INTEGER NOT NULL CHECK (attempt >= 2), 
	PRIMARY KEY (id), 
	UNIQUE (period_id, attempt), 
	FOREIGN KEY(period_id) REFERENCES period (id)
);
INSERT INTO "period_run" VALUES(1,1,2);
INSERT INTO "period_run" VALUES(2,2,2);
CREATE TABLE resumption (
	id INTEGER NOT NULL, 
	entry_id INTEGER NOT NULL, 
	attempt INTEGER NOT NULL CHECK (attempt >= 2), 
	PRIMARY KEY (id), 
	UNIQUE (entry_id, attempt), 
	FOREIGN KEY(entry_id) REFERENCES entry (id)
);
INSERT INTO "resumption" VALUES(1,2,2);
INSERT INTO "resumption" VALUES(2,3,2);
CREATE TABLE scope (
	id INTEGER NOT NULL, 
	kind VARCHAR NOT NULL CHECK (kind IN ('dataset', 'population')), 
	name VARCHAR NOT NULL, 
	currency VARCHAR NOT NULL CHECK (currency IN ('epsilon', 'rho')), 
	population_id INTEGER, 
	partition VARCHAR, 
	unit VARCHAR CHECK (unit IN ('record', 'user')), 
	adjacency VARCHAR CHECK (adjacency IN ('add_drop', 'replace')), 
	PRIMARY KEY (id), 
	UNIQUE (kind, name), 
	CHECK (kind = 'dataset' OR (population_id IS NULL AND partition IS NULL)), 
	CHECK ((unit IS NULL) = (adjacency IS NULL)), 
	FOREIGN KEY(population_id) REFERENCES scope (id)
);
INSERT INTO "scope" VALUES(1,'dataset','tickets','epsilon',NULL,NULL,'user','add_drop');
CREATE VIEW spent_by_part AS
    SELECT scope_id, part, sum(epsilon_nano) AS epsilon_nano, sum(delta_atto) AS delta_atto, sum(rho_nano) AS rho_nano
    FROM entry GROUP BY scope_id, part;
CREATE VIEW spent AS
    SELECT scope_id, sum(epsilon_nano) AS epsilon_nano, sum(delta_atto) AS delta_atto, sum(rho_nano) AS rho_nano
    FROM (
        SELECT scope_id, epsilon_nano, delta_atto, rho_nano FROM spent_by_part WHERE part IS NULL
        UNION ALL
        SELECT scope_id, max(epsilon_nano), max(delta_atto), max(rho_nano)
        FROM spent_by_part WHERE part IS NOT NULL GROUP BY scope_id
        UNION ALL
        SELECT member.population_id, entry.epsilon_nano, entry.delta_atto, entry.rho_nano
        FROM entry JOIN scope AS member ON member.id = entry.scope_id WHERE member.population_id IS NOT NULL
    ) AS share GROUP BY scope_id;
CREATE VIEW overspent AS
    SELECT scope.id FROM spent JOIN scope ON scope.id = spent.scope_id
    LEFT JOIN (SELECT scope_id, max(id) AS id FROM budget_change GROUP BY scope_id) AS newest
        ON newest.scope_id = scope.id
    LEFT JOIN budget_change AS cap ON cap.id = newest.id
    WHERE (scope.currency = 'rho' AND spent.rho_nano > coalesce(cap.rho_nano, -1))
       OR (scope.currency = 'epsilon' AND (spent.epsilon_nano > coalesce(cap.epsilon_nano, -1)
                                           OR spent.delta_atto > coalesce(cap.delta_atto, -1)));
CREATE TRIGGER dpspin_ledger_stays BEFORE DELETE ON dpspin_ledger WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER scope_stays BEFORE DELETE ON scope WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER budget_change_stays BEFORE DELETE ON budget_change WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER entry_stays BEFORE DELETE ON entry WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER resumption_stays BEFORE DELETE ON resumption WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER output_stays BEFORE DELETE ON output WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER declaration_stays BEFORE DELETE ON declaration WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER link_stays BEFORE DELETE ON link WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER period_stays BEFORE DELETE ON period WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER period_run_stays BEFORE DELETE ON period_run WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER period_output_stays BEFORE DELETE ON period_output WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER dpspin_ledger_is_fixed BEFORE UPDATE ON dpspin_ledger WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER scope_is_fixed BEFORE UPDATE ON scope WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER budget_change_is_fixed BEFORE UPDATE ON budget_change WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER entry_is_fixed BEFORE UPDATE ON entry WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER resumption_is_fixed BEFORE UPDATE ON resumption WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER output_is_fixed BEFORE UPDATE ON output WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER declaration_is_fixed BEFORE UPDATE ON declaration WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER link_is_fixed BEFORE UPDATE ON link WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER period_is_fixed BEFORE UPDATE ON period WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER period_run_is_fixed BEFORE UPDATE ON period_run WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER period_output_is_fixed BEFORE UPDATE ON period_output WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER scope_is_new BEFORE INSERT ON scope WHEN EXISTS (SELECT 1 FROM scope WHERE id = NEW.id OR (kind = NEW.kind AND name = NEW.name)) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER budget_change_is_new BEFORE INSERT ON budget_change WHEN EXISTS (SELECT 1 FROM budget_change WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER entry_is_new BEFORE INSERT ON entry WHEN EXISTS (SELECT 1 FROM entry WHERE id = NEW.id OR (scope_id = NEW.scope_id AND fingerprint = NEW.fingerprint)) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER resumption_is_new BEFORE INSERT ON resumption WHEN EXISTS (SELECT 1 FROM resumption WHERE id = NEW.id OR (entry_id = NEW.entry_id AND attempt = NEW.attempt)) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER output_is_new BEFORE INSERT ON output WHEN EXISTS (SELECT 1 FROM output WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER declaration_is_new BEFORE INSERT ON declaration WHEN EXISTS (SELECT 1 FROM declaration WHERE id = NEW.id OR (dataset = NEW.dataset AND subject = NEW.subject AND value = NEW.value)) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER period_is_new BEFORE INSERT ON period WHEN EXISTS (SELECT 1 FROM period WHERE id = NEW.id OR (entry_id = NEW.entry_id AND (name = NEW.name OR generation = NEW.generation))) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER period_run_is_new BEFORE INSERT ON period_run WHEN EXISTS (SELECT 1 FROM period_run WHERE id = NEW.id OR (period_id = NEW.period_id AND attempt = NEW.attempt)) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER period_output_is_new BEFORE INSERT ON period_output WHEN EXISTS (SELECT 1 FROM period_output WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER link_is_new BEFORE INSERT ON link WHEN EXISTS (SELECT 1 FROM link WHERE position = NEW.position OR (kind = NEW.kind AND row_id = NEW.row_id) OR public_hash = NEW.public_hash) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER one_version BEFORE INSERT ON dpspin_ledger WHEN EXISTS (SELECT 1 FROM dpspin_ledger) BEGIN SELECT RAISE(ABORT, 'a ledger has one version'); END;
CREATE TRIGGER population_is_one BEFORE INSERT ON scope WHEN NEW.population_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scope WHERE id = NEW.population_id AND kind = 'population') BEGIN SELECT RAISE(ABORT, 'a dataset belongs to a population'); END;
CREATE TRIGGER entry_fits_its_account BEFORE INSERT ON entry WHEN NOT EXISTS (SELECT 1 FROM scope WHERE id = NEW.scope_id AND kind = 'dataset' AND (NEW.part IS NULL OR partition IS NOT NULL)) BEGIN SELECT RAISE(ABORT, 'a charge goes to a dataset, and a window to a declared partition'); END;
CREATE TRIGGER entry_is_of_one_kind BEFORE INSERT ON entry WHEN EXISTS (SELECT 1 FROM scope AS payer WHERE payer.id IN (NEW.scope_id, (SELECT population_id FROM scope WHERE id = NEW.scope_id)) AND (payer.unit <> NEW.unit OR payer.adjacency <> NEW.adjacency)) OR EXISTS (SELECT 1 FROM entry AS earlier JOIN scope AS member ON member.id = earlier.scope_id WHERE (member.id = NEW.scope_id OR member.population_id = (SELECT population_id FROM scope WHERE id = NEW.scope_id)) AND (earlier.unit <> NEW.unit OR earlier.adjacency <> NEW.adjacency)) BEGIN SELECT RAISE(ABORT, 'an account adds up losses about the same neighbours only'); END;
CREATE TRIGGER entry_names_its_users BEFORE INSERT ON entry WHEN (NEW.unit = 'user' AND NOT EXISTS (SELECT 1 FROM declaration JOIN scope AS payer ON payer.name = declaration.dataset WHERE payer.id = NEW.scope_id AND payer.kind = 'dataset' AND declaration.subject = 'user_column' AND declaration.value = NEW.user_column)) OR (NEW.unit <> 'user' AND NEW.user_column IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'a charge about users names the column that its account declares'); END;
CREATE TRIGGER entry_is_affordable AFTER INSERT ON entry WHEN EXISTS (SELECT 1 FROM overspent) BEGIN SELECT RAISE(ABORT, 'the charge exceeds the cap'); END;
CREATE TRIGGER cap_covers_what_is_spent AFTER INSERT ON budget_change WHEN EXISTS (SELECT 1 FROM overspent) BEGIN SELECT RAISE(ABORT, 'the cap is below what is spent'); END;
CREATE TRIGGER resumption_is_the_next BEFORE INSERT ON resumption WHEN NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM resumption WHERE entry_id = NEW.entry_id) + 1 OR EXISTS (SELECT 1 FROM output WHERE id = NEW.entry_id) BEGIN SELECT RAISE(ABORT, 'a run takes over from the newest, and not from one that has finished'); END;
CREATE TRIGGER output_is_of_the_newest BEFORE INSERT ON output WHEN NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM resumption WHERE entry_id = NEW.id) OR NOT EXISTS (SELECT 1 FROM entry WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, 'only the newest run of a charge may store its output'); END;
CREATE TRIGGER period_follows BEFORE INSERT ON period WHEN NOT EXISTS (SELECT 1 FROM entry JOIN output ON output.id = entry.id WHERE entry.id = NEW.entry_id AND entry.mechanism = 'laplace in a series') OR NEW.generation <> (SELECT coalesce(max(generation), 0) + 1 FROM period WHERE entry_id = NEW.entry_id) OR EXISTS (SELECT 1 FROM period WHERE entry_id = NEW.entry_id AND name >= NEW.name) BEGIN SELECT RAISE(ABORT, 'a period follows those before it, in a life that was paid for'); END;
CREATE TRIGGER period_run_is_the_next BEFORE INSERT ON period_run WHEN NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM period_run WHERE period_id = NEW.period_id) + 1 OR EXISTS (SELECT 1 FROM period_output WHERE id = NEW.period_id) BEGIN SELECT RAISE(ABORT, 'a run takes over from the newest, and not from one that has finished'); END;
CREATE TRIGGER period_output_is_of_the_newest BEFORE INSERT ON period_output WHEN NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM period_run WHERE period_id = NEW.id) OR NOT EXISTS (SELECT 1 FROM period WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, 'only the newest run of a period may store its output'); END;
CREATE TRIGGER link_is_the_next BEFORE INSERT ON link WHEN NEW.position <> (SELECT coalesce(max(position), 0) FROM link) + 1 BEGIN SELECT RAISE(ABORT, 'links are added at the end'); END;
COMMIT;
