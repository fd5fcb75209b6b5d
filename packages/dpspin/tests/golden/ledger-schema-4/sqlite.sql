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
INSERT INTO "budget_change" VALUES(1,1,4000000000,0,0,'the board','2026-11-17');
INSERT INTO "budget_change" VALUES(2,2,2000000000,0,0,'the owner','2026-11-17');
INSERT INTO "budget_change" VALUES(3,3,1000000000,0,0,'the owner','2026-11-17');
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
INSERT INTO "declaration" VALUES(2,'reviews','apart','tickets','the owner: other people','2026-11-17');
CREATE TABLE dpspin_ledger (
	schema_version INTEGER NOT NULL, 
	genesis VARCHAR NOT NULL, 
	PRIMARY KEY (schema_version)
);
INSERT INTO "dpspin_ledger" VALUES(4,'9dfdb4276d557e34b03c38b101aa868f239792650b6e0b763e8fd66b61632520');
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
INSERT INTO "entry" VALUES(1,2,'answered','digest of tickets',500000000,0,125000001,'user','add_drop','laplace','{"mechanism":{"kind":"laplace"}}',NULL,'2026-11-17','customer',X'FFFFFFFFFFFFFFFF28000000A7AE81279991B70EA5934F30F7D6F026AF3AC42ADCAE6D309FCB71D495CAE0334A15FB643E9C97409459F0F4E3E0B34FFA28C1C991613953CC1F8A3369BE3E583E61D24C60F4DB59D3CABA38311C265B0BCCC580C832425D4BD7F4B7E5EBCF615DA41FFA33231567E10177D627A8BF6952647E6498A2F86B84B74E81DFE76D6D9274E4AB0CC46A7129E9F13792CEAC7F5A6714E8A881C991D4FACFC8A57125926640E9FFEEF2D7986A784C1656DA80A605BB4340D67A63ABF873F2A30E7765AEE513BF37256C6FB04E0A7195CDF6D5B040CC1008E64490B1494144886CF6C3B262839AFA07BDD4B9DC7F6EAD714574C10B7462A0D75A99C458DE80C2C18A2BC5F21EF5B0220382C6B8FD2BA57F30F1CA9DACFBB53EAAA1CCBB4D246594A9D0D31DFE2DC22E6E05E76F519344BFF77DF481CC3A4E339C1CFBFC8AE0DCE8F58CFEFFFFFFFFFFFFFFFF28000000022BADCEE36A23078A3133A0158B6315F83EBA52215CCD248ADFD1E875FA9C2E7309D9EC38173E34F282D7C3FFE88238F7D90AD485903B3C1A90524EF2006A3EE955E564DE481A428BD1223928A58344BE0584CCB8D8B84728915148723AC654DFB6F8C6D3DB4F5D0E9CF125D2A4F45D2DE2A1DA33EF176CB833395733681A6C2618B08BD7D59A6F1684D93EC7214875CB3C883697A53D7649810DE16816DB790CB05AA55F8BE087FDD98E1A454426895823C01875A2788C95C151D29D890B92F4A77966D37B0A9381DACBC514EC7C95BDA37ED09750D2A2A8E22D047A552BAA2D9D6D241715B6ADBD488217A122AFB6D028A516CBE42AB7B26FF3C434F859B8440322C0A58216BB7E89B82226BDACC0E65045092C929BCA4C6C0FDAC1D075E17F9E577B661807EAC4B136B9916832EBA1BD4F8C459D83F29A8D29534D4CE5F3');
INSERT INTO "entry" VALUES(2,2,'stopped','digest of tickets',250000000,0,31250001,'user','add_drop','laplace','{"mechanism":{"kind":"laplace"}}',NULL,'2026-11-17','customer',X'FFFFFFFFFFFFFFFF28000000A7AE81279991B70EA5934F30F7D6F026AF3AC42ADCAE6D309FCB71D495CAE0334A15FB643E9C97409459F0F4E3E0B34FFA28C1C991613953CC1F8A3369BE3E583E61D24C60F4DB59D3CABA38311C265B0BCCC580C832425D4BD7F4B7E5EBCF615DA41FFA33231567E10177D627A8BF6952647E6498A2F86B84B74E81DFE76D6D9274E4AB0CC46A7129E9F13792CEAC7F5A6714E8A881C991D4FACFC8A57125926640E9FFEEF2D7986A784C1656DA80A605BB4340D67A63ABF873F2A30E7765AEE513BF37256C6FB04E0A7195CDF6D5B040CC1008E64490B1494144886CF6C3B262839AFA07BDD4B9DC7F6EAD714574C10B7462A0D75A99C458DE80C2C18A2BC5F21EF5B0220382C6B8FD2BA57F30F1CA9DACFBB53EAAA1CCBB4D246594A9D0D31DFE2DC22E6E05E76F519344BFF77DF481CC3A4E339C1CFBFC8AE0DCE8F58CFEFFFFFFFFFFFFFFFF28000000022BADCEE36A23078A3133A0158B6315F83EBA52215CCD248ADFD1E875FA9C2E7309D9EC38173E34F282D7C3FFE88238F7D90AD485903B3C1A90524EF2006A3EE955E564DE481A428BD1223928A58344BE0584CCB8D8B84728915148723AC654DFB6F8C6D3DB4F5D0E9CF125D2A4F45D2DE2A1DA33EF176CB833395733681A6C2618B08BD7D59A6F1684D93EC7214875CB3C883697A53D7649810DE16816DB790CB05AA55F8BE087FDD98E1A454426895823C01875A2788C95C151D29D890B92F4A77966D37B0A9381DACBC514EC7C95BDA37ED09750D2A2A8E22D047A552BAA2D9D6D241715B6ADBD488217A122AFB6D028A516CBE42AB7B26FF3C434F859B8440322C0A58216BB7E89B82226BDACC0E65045092C929BCA4C6C0FDAC1D075E17F9E577B661807EAC4B136B9916832EBA1BD4F8C459D83F29A8D29534D4CE5F3');
INSERT INTO "entry" VALUES(3,3,'answered','digest of reviews',750000000,0,281250001,'record','add_drop','laplace','{"mechanism":{"kind":"laplace"}}',NULL,'2026-11-17',NULL,NULL);
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
INSERT INTO "link" VALUES(1,'scope',1,'704ad5e02ce8d19ca57ee0fe1cc957c10f7b6fc83fb117b7e66804d1d6ef00cd','f0ee4d130a774bde5fc62583872dd9d3bf21980c4b092d83847cb2354b16171e');
INSERT INTO "link" VALUES(2,'budget',1,'7a78b19590ca3c7e6608f6b92700cb345dbfda20ed16cac9ba95dad106d18646','7acb8c86a07ff5b4e40fe3847dd8e0e4625ce3d2b8b22804269e4ad7ea06c55e');
INSERT INTO "link" VALUES(3,'scope',2,'c71261718a242323da58996d1658109fd044febe100482740b7e5bde5604129b','5c329c7b045e3c45a962906e57d4a85e489a1e086a2c2603836c2392ac578d8f');
INSERT INTO "link" VALUES(4,'budget',2,'58a353cda2384f4010405671a978fc77eecb2d9f4ba036b704ef5cce6607f1e1','f91a0dd388ef1c5267294ded7b04eb2a36b2f1b84890bc1b207b7d099b66e327');
INSERT INTO "link" VALUES(5,'declaration',1,'a37aa959573c1e95bf02468f4b468284201838f74a17f69f5f8092715597a8bc','832548df093860ae16b835f9705d8c319c5d7869c38b41579c7d4229bedfb386');
INSERT INTO "link" VALUES(6,'scope',3,'7e003d62c2c4bbf0b6bccf288f5c476472af1b05f30a7eed96b9142d12ea2928','5b53db1e39e6906b4d93adfad562b1a866e1126446ca9ad816cab7b729c536db');
INSERT INTO "link" VALUES(7,'budget',3,'fa86d585ab55cfd03dcd195cd43d36c4eb5de7c666fd3a5fa8bf8d670a408035','fe1b062ee4a98388cf517bc1b9f54d87c4536ed5e974c9f7436058f3ec9afed8');
INSERT INTO "link" VALUES(8,'entry',1,'4857eb1afcdf8f08349b8eef93b5f6e147fa67ef6a7ea2573274f6cb47ec9d55','8742a87c88809b5567735c953437170deb0496733876634d9d6fa4c15569d11c');
INSERT INTO "link" VALUES(9,'output',1,'c056682e3a64c910f7c645c0744bbd8eb3e5b0d865359688201838f57d61afa6','a2ba2a161c02a74d15dce92a603579a24c13c05d85b1d8333ef124f81e5b49eb');
INSERT INTO "link" VALUES(10,'entry',2,'685ec9b44139e0984d4acd5f3100607aaf1bf61c96cc88dbd4f2631fd65bb380','63be2e680ab9c2cb0c257a1c253ee06e34b2d05a2b6767dc14fbf2624f290806');
INSERT INTO "link" VALUES(11,'entry',3,'be533b1911e8ff9d434055055b2c78ab391428e49ff2df3c58eb7c26bf004830','6d34a13e1f3f9312f5fa055c8c1326b74ab2e4e5a4f90c3cdef6f92b2af2d6f7');
INSERT INTO "link" VALUES(12,'declaration',2,'18baef1cbdecca80582ef4d72c3a4630a6d645cf7caec5d07c8e173f9bdeea04','b3f3ee3a4b3e6af50825a2002afef0a1bab67b6c007584694005041e2499a8ff');
CREATE TABLE output (
	id INTEGER NOT NULL, 
	attempt INTEGER NOT NULL CHECK (attempt >= 1), 
	output BLOB NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES entry (id)
);
INSERT INTO "output" VALUES(1,1,X'7B2261223A2022706C616E227D');
CREATE TABLE resumption (
	id INTEGER NOT NULL, 
	entry_id INTEGER NOT NULL, 
	attempt INTEGER NOT NULL CHECK (attempt >= 2), 
	PRIMARY KEY (id), 
	UNIQUE (entry_id, attempt), 
	FOREIGN KEY(entry_id) REFERENCES entry (id)
);
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
INSERT INTO "scope" VALUES(1,'population','customers','epsilon',NULL,NULL,NULL,NULL);
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
CREATE TRIGGER dpspin_ledger_is_fixed BEFORE UPDATE ON dpspin_ledger WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER scope_is_fixed BEFORE UPDATE ON scope WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER budget_change_is_fixed BEFORE UPDATE ON budget_change WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER entry_is_fixed BEFORE UPDATE ON entry WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER resumption_is_fixed BEFORE UPDATE ON resumption WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER output_is_fixed BEFORE UPDATE ON output WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER declaration_is_fixed BEFORE UPDATE ON declaration WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER link_is_fixed BEFORE UPDATE ON link WHEN TRUE BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
CREATE TRIGGER scope_is_new BEFORE INSERT ON scope WHEN EXISTS (SELECT 1 FROM scope WHERE id = NEW.id OR (kind = NEW.kind AND name = NEW.name)) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER budget_change_is_new BEFORE INSERT ON budget_change WHEN EXISTS (SELECT 1 FROM budget_change WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER entry_is_new BEFORE INSERT ON entry WHEN EXISTS (SELECT 1 FROM entry WHERE id = NEW.id OR (scope_id = NEW.scope_id AND fingerprint = NEW.fingerprint)) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER resumption_is_new BEFORE INSERT ON resumption WHEN EXISTS (SELECT 1 FROM resumption WHERE id = NEW.id OR (entry_id = NEW.entry_id AND attempt = NEW.attempt)) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER output_is_new BEFORE INSERT ON output WHEN EXISTS (SELECT 1 FROM output WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
CREATE TRIGGER declaration_is_new BEFORE INSERT ON declaration WHEN EXISTS (SELECT 1 FROM declaration WHERE id = NEW.id OR (dataset = NEW.dataset AND subject = NEW.subject AND value = NEW.value)) BEGIN SELECT RAISE(ABORT, 'the row exists already'); END;
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
CREATE TRIGGER link_is_the_next BEFORE INSERT ON link WHEN NEW.position <> (SELECT coalesce(max(position), 0) FROM link) + 1 BEGIN SELECT RAISE(ABORT, 'links are added at the end'); END;
COMMIT;
