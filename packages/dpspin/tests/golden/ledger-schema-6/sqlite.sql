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
INSERT INTO "budget_change" VALUES(1,1,5000000000,0,0,'decided for all','2026-11-18');
INSERT INTO "budget_change" VALUES(2,2,3000000000,0,0,'decided by the owner','2026-11-18');
INSERT INTO "budget_change" VALUES(3,3,1000000000,0,0,'','2026-11-18');
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
INSERT INTO "declaration" VALUES(1,'tickets','user_column','customer','decided by the owner','2026-11-18');
INSERT INTO "declaration" VALUES(2,'reviews','apart','tickets','other people','2026-11-18');
CREATE TABLE dpspin_ledger (
	schema_version INTEGER NOT NULL, 
	genesis VARCHAR NOT NULL, 
	PRIMARY KEY (schema_version)
);
INSERT INTO "dpspin_ledger" VALUES(6,'dbaed55a5b96cd0c7a51d7364c286d4ea2dcbb3c5549a5bccf017cd7d18c5dc8');
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
INSERT INTO "entry" VALUES(1,2,'answered','digest of tickets',250000000,0,31250001,'user','add_drop','laplace','{"mechanism":{"kind":"laplace"}}',NULL,'2026-11-18','customer',NULL);
INSERT INTO "entry" VALUES(2,2,'stopped','digest of tickets',250000000,0,31250001,'user','add_drop','laplace','{"mechanism":{"kind":"laplace"}}',NULL,'2026-11-18','customer',NULL);
INSERT INTO "entry" VALUES(3,2,'a life','content of nobody',1000000000,0,500000001,'user','add_drop','laplace in a series','{"mechanism":{"kind":"laplace"},"series":{}}',NULL,'2026-11-18','customer',NULL);
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
INSERT INTO "link" VALUES(1,'scope',1,'250ec982383efa9017a1646c83a9e59df381da6f868cf6dfc12e415de0ed4ce0','73827dcf0eada46f85480e5e79b9e4694fbc2f32435534288b7d4f7b9625be9f');
INSERT INTO "link" VALUES(2,'budget',1,'1f5c59d1b374cafd57e75dd11654a35fec2f12ff292c324844e3efe3b4bac801','c79d1fbc5e689c38a7b95a38827e340f48716ed32c6e2e86c1e9dab3e5ac5314');
INSERT INTO "link" VALUES(3,'scope',2,'54c41ec3ffa6a271f5d1654c1e5e10caf33f1e9dc5a503b24f91dc64c2b92786','615e4f66b7959524f5ced642e2fa8d8662607aeec563c5e0d0e6453a8aa3d6e0');
INSERT INTO "link" VALUES(4,'budget',2,'6478e0cb99b9a5121c1872485fc995a04b5ff5935131e2ed221b2066b26647c7','be325056c895681e40fb2a3a995deb9c1174cae396c1e5c10d4a16931f2a0995');
INSERT INTO "link" VALUES(5,'declaration',1,'85b692e1c20f7f2d25a21f3ebd5a35cd8564cb451b44801d962338a89341c937','05fabe3f5d07e4f4063b829aabe0c6f9a201aca9c449b911086680be752152e3');
INSERT INTO "link" VALUES(6,'scope',3,'8c759e1e93a62e6dab522c5236e2cf5120d0e4fd96c9568593bd1bb8bfe0b3b0','69b3a403273ea9bc9ef64ec6115402f33a7f5ab8d3a4aaf01a5827ee06b9639d');
INSERT INTO "link" VALUES(7,'budget',3,'ec5b878cb793caa8addfcde137fcba2628c530e46b57f680416c80566adc8fbc','08e7379384c3479eda4abec524cc730957ca4cc78f084e6bb6251a3a9e3e7886');
INSERT INTO "link" VALUES(8,'declaration',2,'1974fb30165bcbbed002a32063074f89ef742fed555f12aa3a77bfe6c926a3e9','184811ba3db8857b230be20f9294d5633279cc0c2992d5177ff2d3d57162202b');
INSERT INTO "link" VALUES(9,'entry',1,'4fb6fbae14642167714fe88aca200fc0b8b5987a0958baeb46b39b82c28f6dca','7b5ac45bf7a0c6bfc156ff5a04d5859d70ceb506d41dd53e4555301d88bcc891');
INSERT INTO "link" VALUES(10,'output',1,'aee878b43bd725a4c4c760ea5c67a073c8732a252dca6fe2a4113234657c6b70','2fa13ec27621df470fca33659fd41f561d01febea8b568f4139862609807f7a6');
INSERT INTO "link" VALUES(11,'entry',2,'ae9bb10fde7a1cd0154ab875a641c7df06432b05a217855f0ac0d4a45f131131','190ca36b1d48e572a59809f7f9aeb51e2752961cc2d175d6f62b4809ee845828');
INSERT INTO "link" VALUES(12,'resumption',1,'892390bab6f64fabf05f77d92a16a2874ff56bd51d099a06358edad58e4c0a64','10adf6dfbb9995ef2dccff830118ea8d76860e8e2d9d1737c689f7c34142180e');
INSERT INTO "link" VALUES(13,'entry',3,'598e5ae0bf173da3ab6afb391797ee926272d74dd516fe36b6aa8556df7c1cac','2e282f866df2da5abc37444e16b93661e87ed0203de097673245c96b16044be4');
INSERT INTO "link" VALUES(14,'output',3,'9e93d7eaf7358255b527cbb51a194543d91a7f8f558e42bcd1c17473e8e59f02','2275901fdbb6ed6933d35f22d37f0b5684207b0a254d068e94c34ac81e1c512b');
INSERT INTO "link" VALUES(15,'period',1,'cc1df95cb81f1f5f4bafa80deddb6081df9f180fb16f68b880486c2371ee8575','18f0cf4247d437bf65c8d3d54d8e14e89f6ef9a29f1b4671c1147c0265b319a4');
INSERT INTO "link" VALUES(16,'period_output',1,'f0f39cc415227487254834d6415aa12ec4a3d2de1b7d5e89406ef415ed968b14','f0050dd7b79d60ca8fa5285c95b80c238f0195c916587a743aba83638decd46a');
CREATE TABLE output (
	id INTEGER NOT NULL, 
	attempt INTEGER NOT NULL CHECK (attempt >= 1), 
	output BLOB NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES entry (id)
);
INSERT INTO "output" VALUES(1,1,X'7B2261223A2022706C616E227D');
INSERT INTO "output" VALUES(3,1,X'7465726D73');
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
INSERT INTO "period" VALUES(1,3,'2026-W01',1,'records of 2026-W01','state 1',NULL,'2026-11-18');
CREATE TABLE period_output (
	id INTEGER NOT NULL, 
	attempt INTEGER NOT NULL CHECK (attempt >= 1), 
	output BLOB NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES period (id)
);
INSERT INTO "period_output" VALUES(1,1,X'706C616E206F6620323032362D573031');
CREATE TABLE period_run (
	id INTEGER NOT NULL, 
	period_id INTEGER NOT NULL, 
	attempt INTEGER NOT NULL CHECK (attempt >= 2), 
	PRIMARY KEY (id), 
	UNIQUE (period_id, attempt), 
	FOREIGN KEY(period_id) REFERENCES period (id)
);
CREATE TABLE resumption (
	id INTEGER NOT NULL, 
	entry_id INTEGER NOT NULL, 
	attempt INTEGER NOT NULL CHECK (attempt >= 2), 
	PRIMARY KEY (id), 
	UNIQUE (entry_id, attempt), 
	FOREIGN KEY(entry_id) REFERENCES entry (id)
);
INSERT INTO "resumption" VALUES(1,2,2);
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
INSERT INTO "scope" VALUES(1,'population','customers','epsilon',NULL,NULL,'user','add_drop');
INSERT INTO "scope" VALUES(2,'dataset','tickets','epsilon',1,NULL,'user','add_drop');
INSERT INTO "scope" VALUES(3,'dataset','reviews','epsilon',NULL,NULL,NULL,NULL);
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
