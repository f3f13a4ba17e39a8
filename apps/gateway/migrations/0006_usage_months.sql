CREATE TABLE "quarry"."usage_months" (
	"organization_id" uuid NOT NULL,
	"month" varchar(7) NOT NULL,
	"agent_queries" bigint DEFAULT 0 NOT NULL,
	"datastore_queries" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_months_organization_id_month_pk" PRIMARY KEY("organization_id","month"),
	CONSTRAINT "usage_months_not_negative" CHECK ("quarry"."usage_months"."agent_queries" >= 0 and "quarry"."usage_months"."datastore_queries" >= 0)
);
--> statement-breakpoint
ALTER TABLE "quarry"."usage_months" ADD CONSTRAINT "usage_months_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;