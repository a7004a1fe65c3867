/**
 * The Medusa application that is measured: Medusa as it comes, without its dashboard, and with one route of its own, because no route of
 * Medusa's authorizes a payment without a cart. The route calls Medusa's payment module as Medusa's own workflows do.
 */
export const medusaApp: Record<string, string> = {
  'medusa-config.js': `const { defineConfig } = require('@medusajs/framework/utils');

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: '',
      adminCors: '',
      authCors: '',
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
  },
});
`,
  'src/api/admin/authorizations/route.js': `const { Modules } = require('@medusajs/framework/utils');

exports.POST = async (req, res) => {
  const payments = req.scope.resolve(Modules.PAYMENT);
  const { amount, currency_code } = req.body;
  const collection = await payments.createPaymentCollections({ amount, currency_code });
  const session = await payments.createPaymentSession(collection.id, {
    amount,
    currency_code,
    provider_id: 'pp_system_default',
    data: {},
  });
  res.status(201).json(await payments.authorizePaymentSession(session.id, {}));
};
`,
};
